package conformance

// call is one call that the strict client makes, and whether it has to succeed.
// An argument "$tool.field" is that field of the tool's last good answer.
type call struct {
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	Good bool           `json:"good"`
}

// calls are at least one success and one failure of every tool, in an order
// that works on an empty workspace.
func calls(raw, exports string) []call {
	type args = map[string]any
	good := func(tool string, a args) call { return call{tool, a, true} }
	bad := func(tool string, a args) call { return call{tool, a, false} }
	return []call{
		good("health_check", nil),
		bad("health_check", args{"verbose": true}),
		good("ingest", args{"raw_path": raw, "image_id": "a"}),
		bad("ingest", args{"raw_path": "/nowhere/nothing.nef"}),
		good("list_images", args{"query": nil}),
		bad("list_images", args{"limit": 0}),
		good("list_vocabulary", args{"query": "warmer", "limit": 2}),
		bad("list_vocabulary", args{"layer": "L9"}),
		good("get_state", args{"image_id": "a"}),
		bad("get_state", args{"image_id": "../a"}),
		good("branch", args{"image_id": "a", "name": "try"}),
		bad("branch", args{"image_id": "a", "name": "try"}),
		good("checkout", args{"image_id": "a", "ref_or_hash": "try"}),
		bad("checkout", args{"image_id": "a", "ref_or_hash": "nowhere"}),
		good("bind_layers", args{"image_id": "a", "l2_template": "look_natural_punch"}),
		bad("bind_layers", args{"image_id": "a", "l2_template": "exposure"}),
		good("apply_primitive", args{"image_id": "a", "primitive_name": "exposure", "value": 0.5}),
		bad("apply_primitive", args{"image_id": "a", "primitive_name": "exposure", "value": 50}),
		good("render_preview", args{"image_id": "a", "size": 256}),
		bad("render_preview", args{"image_id": "a", "size": 256, "ref_or_hash": "nowhere"}),
		good("describe_state", args{"image_id": "a"}),
		bad("describe_state", args{"image_id": "b"}),
		good("diff", args{"image_id": "a", "hash_a": "baseline", "hash_b": "HEAD"}),
		bad("diff", args{"image_id": "a", "hash_a": "baseline"}),
		good("compare", args{"image_id": "a", "hash_a": "baseline", "hash_b": "HEAD", "size": 256}),
		bad("compare", args{"image_id": "a", "hash_a": "baseline", "hash_b": "HEAD", "size": 8}),
		good("image_stats", args{"image_id": "a"}),
		bad("image_stats", args{"image_id": "b"}),
		good("render_variants", args{"image_id": "a", "primitive_name": "exposure", "values": []float64{-0.5, 0.5}, "size": 128}),
		bad("render_variants", args{"image_id": "a"}),
		good("describe_module", args{"module_name": "exposure"}),
		bad("describe_module", args{"module_name": "exposre"}),
		good("set_parameters", args{"image_id": "a", "module_name": "exposure", "fields": []args{{"name": "exposure", "value": "1"}}}),
		bad("set_parameters", args{"image_id": "a", "module_name": "exposure", "fields": []args{{"name": "exposure", "value": "much"}}}),
		good("snapshot", args{"image_id": "a", "label": "brighter"}),
		bad("snapshot", args{"image_id": "b"}),
		good("tag", args{"image_id": "a", "name": "first"}),
		bad("tag", args{"image_id": "a", "name": "first"}),
		good("undo", args{"image_id": "a"}),
		bad("undo", args{"image_id": "b"}),
		good("redo", args{"image_id": "a"}),
		bad("redo", args{"image_id": "a"}),
		good("remove_module", args{"image_id": "a", "module_name": "exposure"}),
		bad("remove_module", args{"image_id": "a", "module_name": "exposre"}),
		good("log", args{"image_id": "a", "limit": 3}),
		bad("log", args{"image_id": "a", "since": "yesterday"}),
		good("export_final", args{"image_id": "a", "size": 256, "output_dir": exports}),
		bad("export_final", args{"image_id": "a", "format": "gif"}),
		good("read_context", args{"image_id": "a"}),
		bad("read_context", args{"image_id": "b"}),
		good("propose_taste_update", args{"content": "Skies stay calm.", "category": "appearance"}),
		bad("propose_taste_update", args{"content": "", "category": "appearance"}),
		good("list_proposals", nil),
		bad("list_proposals", args{"limit": 0}),
		good("confirm_taste_update", args{"proposal_id": "$propose_taste_update.proposal_id"}),
		bad("confirm_taste_update", args{"proposal_id": "aaaaaaaaaaaaaaaa"}),
		good("propose_notes_update", args{"image_id": "a", "content": "Half a stop brighter."}),
		bad("propose_notes_update", args{"image_id": "b", "content": "Half a stop brighter."}),
		good("confirm_notes_update", args{"proposal_id": "$propose_notes_update.proposal_id"}),
		bad("confirm_notes_update", args{"proposal_id": "aaaaaaaaaaaaaaaa"}),
		good("propose_notes_update", args{"image_id": "a", "content": "To be dropped."}),
		good("decline_proposal", args{"proposal_id": "$propose_notes_update.proposal_id"}),
		bad("decline_proposal", args{"proposal_id": "aaaaaaaaaaaaaaaa"}),
		good("log_vocabulary_gap", args{"image_id": "a", "description": "No skin mask.", "workaround": "Left alone."}),
		bad("log_vocabulary_gap", args{"image_id": "a", "description": "No skin mask."}),
		good("list_gaps", nil),
		bad("list_gaps", args{"limit": 0}),
		good("verify", args{"image_id": "a"}),
		bad("verify", args{"image_id": "b"}),
		good("repair", args{"image_id": "a"}),
		bad("repair", args{"image_id": "b"}),
		good("reset", args{"image_id": "a"}),
		bad("reset", args{"image_id": "b"}),
	}
}
