package requests

// sets are words that phrases share.
var sets = map[string]string{
	"remove": "remove delete erase eliminate clone rid hide disappear vanish take clean clear",
	"people": "person people man men woman women guy girl boy child children kid kids tourist tourists crowd bystander " +
		"stranger photobomber passer passers someone somebody pedestrian ex friend",
	"things": "object objects thing things car cars truck bus bike tree trees branch sign signs pole poles lamppost post building " +
		"boat bird fence bin trash rubbish litter logo text watermark element distraction distractions clutter shadow " +
		"wire wires cable cables powerline antenna crane scaffolding background tripod",
	"add":      "add put insert paste place include composite draw",
	"pictures": "photos pictures images shots frames files raws photo picture image shot",
	"many":     "all every everything everyone others other rest whole series batch set folder shoot multiple several many them gallery",
	"adjust":   "settings setting edit edits look looks adjustments adjustment changes change style grade grading development treatment preset",
	"show":     "show see look display view open preview",
	"save":     "save keep store remember mark bookmark name",
	"select":   "select selection selecting mask masking isolate target limit restrict affect only just",
	"dodge":    "dodge burn lift raise lower brighten brighter lighten lighter darken darker",
	"colours": "red blue green yellow orange purple violet pink magenta cyan turquoise teal brown black white grey " +
		"another different",
	"format": "jpeg jpg tiff tif png webp avif jxl exr heic",
	"verb":   "make turn change recolour recolor paint dye colour",
}

// tools are words of other tools than those that apply moves.
var tools = []row{
	{Tool, "apply_spot", "Heals or clones one spot a call: give its place and size, and look at the result at full size.", "", `
		heal/healing; clone; dust; blemish/blemishes; pimple/pimples/zit/zits/acne/mole/freckle/scab/wart/rash
		$remove spot/spots/speck/specks/scratch/scratches/stain/stains/crumb/crumbs/lint/dirt/insect/fly/mosquito/droplet/drop/hair/scar/tattoo/mark/marks
		spot/spots removal/remover/heal; clone stamp; sensor spot/spots/dirt; retouch; touch up; patch tool; water drop/drops/droplet lens
		$remove/out wire/wires/cable/cables/powerline/line/lines; $remove power line/lines`},
	{Tool, "undo", "Takes back the newest change; again goes one further back.", "", `
		undo; step/steps back; go back; take back; last change/edit/step; oops; revert; previous step/edit/state; went wrong; ctrl z`},
	{Tool, "redo", "Brings back what undo took away.", "", `redo; undo undo; forward step; bring undone`},
	{Tool, "reset", "Returns to darktable's own development and what is bound; undo brings the edit back.", "", `
		reset; start over/again/fresh/scratch/anew; begin over/again/anew; discard/drop/throw/remove/clear all/everything edits/changes/edit
		back/return original/beginning/raw/baseline/start/zero; undo everything/all; remove all edits/changes/adjustments; from scratch`},
	{Tool, "compare", "Shows two versions side by side with their differences: hash_a main~1 or the tag baseline, hash_b HEAD.", "", `
		compare; comparison; before after; $show original/unedited/untouched/before; original; difference/differences original; a b; split view`},
	{Tool, "diff", "Lists what differs between two versions, field by field.", "", `
		diff; what changed/differs; difference/differences/changes versions/branches/version/edits; changed between`},
	{Tool, "render_preview", "Develops the picture as it is now and shows it; with a region, a part of it in full size.", "", `
		preview; $show picture/photo/image/result/it/me/now; $show 100; full size look/view/preview; zoom/magnify 100/pixels/detail; how looks/look; render`},
	{Tool, "export_final", "Writes the finished picture: format, size, quality, colour space, with or without metadata.", "", `
		export; save $format/file/disk/final/copy; $format; download; resize; resolution; pixels; megapixels; file size; kb; mb
		full resolution/size $format/file/copy; export instagram/facebook/web/website/print/client; finished/final picture/file/version/image
		srgb; adobe rgb; p3; icc; colour space/profile; strip/remove/delete/without metadata/exif/gps/location/coordinates; metadata; exif; gps; geotag; bit depth/bits; 16 bit`},
	{Tool, "export_batch", "Exports many images at once (group batch).", "", `
		export $many; batch export/process/convert; export $many $format; save $many $format; convert $many; export images/pictures/photos/files`},
	{Tool, "export_sidecar", "Writes the edit as a .xmp that darktable opens (group admin).", "", `
		$show/continue/finish/send/edit darktable; sidecar; xmp; write/export/save xmp/sidecar; darktable file/window/gui`},
	{Tool, "import_sidecar", "Takes over an edit that darktable wrote (group admin).", "", `
		import/read/load/take xmp/sidecar; import/load/use darktable edit/edits/history/development`},
	{Tool, "snapshot", "Names the present state, to come back to.", "", `
		$save version/state/progress/work/edit/stage/point/milestone; snapshot; checkpoint; label version/state`},
	{Tool, "tag", "Gives a version a name that never moves.", "", `bookmark version; tag version; mark version final`},
	{Tool, "branch", "Makes a second line of edits; checkout switches to it.", "", `
		branch; virtual copy; duplicate/second/alternative/another/other/parallel version/copy/edit/direction; duplicate; fork; both ways/directions/ideas`},
	{Tool, "checkout", "Goes to a branch, a tag or an older snapshot.", "", `
		checkout; switch/go/return/change version/branch/snapshot/tag; older/earlier/previous/yesterday version/edit; load/restore version/snapshot`},
	{Tool, "merge", "Brings what another version changed into this one (group admin).", "", `merge branch/branches/versions/edits; combine branches/versions/edits/directions`},
	{Tool, "cherry_pick", "Takes over the change of one snapshot (group admin).", "", `cherry pick; take over change/step; only one change from`},
	{Tool, "log", "Lists the history, newest first.", "", `
		log; history; what done/did/far; list edits/steps/versions/changes/snapshots/branches; steps far/taken; edits so/far; all versions`},
	{Tool, "describe_state", "Lists what is applied now, with its values.", "", `
		current/present settings/values/edit/moves; what/which applied/active/used/set/moves/settings; list settings; describe edit`},
	{Tool, "image_stats", "Measures the picture: percentiles, clipped shares, colour, and a histogram on request.", "", `
		histogram; statistics; stats; how/what/much/percent/share/check/is/any clipped/clipping/overexposed/underexposed; average/mean brightness/colour
		measure; numbers; luminance values; colour value; waveform; parade; rgb values`},
	{Tool, "wb_from_point", "Makes a point neutral that should be grey or white.", "", `
		white balance; wb; grey/gray/neutral/white point/card; eyedropper; pipette; dropper; auto white/wb; colour/color cast; colour/color temperature auto
		pick/click neutral/grey/white; neutral colours/colors; neutralise; whites not/be white; as shot`},
	{Tool, "render_variants", "Develops several ideas side by side on one sheet (group batch).", "", `
		side versions/variants/looks/ideas/options/three/several/few; variants; variations; options; alternatives; contact sheet
		try/show several/different/three/two/few/some/four/five versions/looks/values/styles/options/variants/strengths/ideas; which looks better/best; grid`},
	{Tool, "apply_per_region", "Applies moves with their own values in several parts at once.", "midtones subject_brighten exposure", `
		dodge burn; dodge/burn; different/several parts/regions/areas/places; each region/part/area; local adjustment/adjustments; relight`},
	{Tool, "preview_mask", "Shows what a mask selects; a mask is named, drawn by shapes, or chosen by light or colour.", "", `
		$show/check/visualise/visualize/what/overlay mask/selection; what select/selects/selected/covers; draw/paint/make/create/build/edit mask/selection
		brush; lasso; by hand mask/selection; gradient mask; luminosity/range mask/masks`},
	{Tool, "list_masks", "Lists the masks that have a name.", "", `list/which/what/available masks/selections; named mask/masks; masks`},
	{Tool, "propagate_state", "Gives other images this look (group batch).", "", `
		copy/sync/synchronise/synchronize/apply/paste/transfer/use/carry/propagate $adjust $many/$pictures; copy/paste/sync/transfer $adjust; batch edit/editing
		$many same look/edit/treatment/style/way; make $many/these like this/one; same $many/$pictures look/edit/settings/way; sync`},
	{Tool, "suggest_start", "Measures the picture and suggests exposure, white balance, straightening, crop, noise and lens preparation.", "", `
		where start/begin; what first/suggest/recommend; suggest; suggestion/suggestions; auto/automatic/automatically adjust/adjustment/edit/enhance/fix/correct/straighten/level/tone/exposure/white/balance; auto; starting point`},
	{Tool, "match_exposure", "Makes a series equally bright (group batch).", "", `
		$many equal/equally/same/match/even/consistent/uniform bright/brightness/exposure/light; match exposure/brightness/exposures; deflicker; flicker; even out exposure/exposures/brightness/series
		consistent/uniform series/set/shoot/brightness/exposure`},
	{Tool, "match_series", "Makes a series one set: white balance, exposure and contrast brought together (group batch).", "", `
		$many match/unify/harmonise/harmonize/even/consistent/coherent/uniform/same colour/color/colours/colors/white/contrast/tones; match colours/colors/white; colour/color match/consistency; make set consistent/coherent; look together/consistent series/set/album`},
	{Tool, "match_reference", "Makes a picture look like another one, a file or the camera's JPEG, by a few moves (group batch).", "", `
		look/looks/make/develop like reference/that/this/jpeg/jpg/camera/export/example; match reference/jpeg/jpg/camera; camera jpeg/jpg; same look/style as; copy look/style from; reference picture/photo/image`},
	{Tool, "set_rating", "Rates a picture: 0 to 5 stars, -1 rejected, and colour labels (group admin).", "", `
		rate; rating; five/four/three/two/one/give/5/4/3/2/1 stars/star; reject; rejected; cull; culling; keeper; favourite; flag; colour/color label; pick best/favourites; star rating`},
	{Tool, "delete_image", "Moves an image's edits to the trash; the raw file stays (group admin).", "", `
		delete; trash/throw/discard/bin picture/photo/image/this/it/away; remove from workspace/library/catalogue; delete $pictures`},
	{Tool, "delete_ref", "Deletes a branch or a tag (group admin).", "", `delete/remove/drop branch/tag/version`},
	{Tool, "restore_image", "Brings a deleted image back from the trash (group admin).", "", `
		restore/undelete/recover deleted/image/trash; bring/get back deleted; undelete`},
	{Tool, "list_trash", "Lists what was deleted (group admin).", "", `list/show/what/empty trash; what deleted`},
	{Tool, "list_images", "Lists the images that there are.", "", `
		list/which/what/all images/photos/pictures/raws/files have/there/are/loaded/edited; list images/photos/pictures; find picture/photo/image; my images/photos/pictures`},
	{Tool, "ingest", "Registers a raw by its path.", "", `
		import/open/load/add/ingest raw/raws/nef/cr2/cr3/arw/dng/raf/orf/rw2/photos/pictures/images; new photo/picture/image/raw; register; memory card`},
	{Tool, "read_context", "Gives the photographer's tastes, the brief and the notes.", "", `my/read/what tastes/taste/preferences/brief; what know/remember about; brief; notes read/show/what`},
	{Tool, "propose_taste_update", "Proposes what to remember of the photographer's taste.", "", `
		remember/note always/never/like/prefer/love/hate/dislike/want; taste; preference; always/never edit/want/use/do; next time; i/we prefer/like/love/hate; remember; learn`},
	{Tool, "propose_notes_update", "Proposes a note about this picture.", "", `note/notes picture/photo/image; add/write note/notes/comment; comment; keyword; keywords; write down`},
	{Tool, "log_vocabulary_gap", "Keeps the wish for a move that is missing.", "", `missing move/feature/tool; feature request; log gap/wish; gap; wish; there no move; not find move`},
	{Tool, "list_gaps", "Ranks the moves that were missed (group admin).", "", `list/which/what gaps/missing/wishes moves; gaps list`},
	{Tool, "health_check", "Says whether all is well, and how to mend what is not.", "", `
		health; everything/darktable/it/program/server working/works/installed/ok/fine/ready/healthy; status; version darktable; diagnose; not work/working`},
	{Tool, "verify", "Checks what is kept (group admin).", "", `verify; check/is damaged/corrupt/corrupted/integrity history/workspace/files; integrity`},
	{Tool, "repair", "Repairs a damaged history (group admin).", "", `repair; fix/mend/damaged/corrupt/broken history/workspace/database`},
	{Tool, "prune", "Frees space of what nothing leads to any more (group admin).", "", `prune; disk space; free space; clean history/old/up versions/space; garbage`},
	{Tool, "export_bundle", "Packs an image with its history into one file (group admin).", "", `bundle; backup; back up edit/edits/history; move/carry/take other/another computer/machine/laptop; archive`},
	{Tool, "import_bundle", "Unpacks a bundle (group admin).", "", `import/unpack/load/restore bundle/backup/archive`},
	{Tool, "replay", "Replays a recorded session on another image (group admin).", "", `replay; record/recorded session/steps/action/actions/macro; macro`},
	{Tool, "set_parameters", "Sets any field of a darktable module by name (group expert); describe_module lists them.", "", `
		set/exact module/parameter/parameters/field/slider; darktable module; expert; which/list module/modules`},
	{Tool, "remove_module", "Takes back what edits did with a darktable module.", "", `remove/take/drop/off move/module/look/effect/filter/step; turn off look/effect/module/move; without look/move`},
	{Tool, "bind_layers", "Binds a technical template (L1) and a starting look (L2).", "", `template/templates; bind; camera lens template/defaults`},
}
