# Every target is one script of scripts/, or one command.
.DEFAULT_GOAL := help
.PHONY: arm64 bundle layouts cross files help quickstart gallery test prove photographs imposters regional harm heal remote linearizable farm farm-soak bench-farm series match effects start responses check lint fmt generate fuzz whole soak bench bench-render bench-look bench-batch bench-tokens bench-memory bench-studio

help: ## say what there is (the default)
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

quickstart: ## install darktable if it is missing, and edit a photograph; RAW=photo.nef for your own
	@scripts/quickstart

gallery: ## render every move into one page, chemigram-gallery.html; RAW=photo.nef for your own
	@scripts/gallery

test: ## everything that CI runs, on both darktables; installs what is missing
	@scripts/test

prove: ## every move and mask proven by pixels on both darktables (test proves a thirtieth of the moves); ARGS='-entry name'
	@scripts/prove $(ARGS)

photographs: ## every move of taste on 24 photographs beside the repository, made into raws, on both darktables (test takes a sample); ARGS='-entry name'
	@scripts/photographs $(ARGS)

imposters: ## other moves in the place of every move, on both darktables: a claim has to fail (test takes a sample); ARGS='-entry name'
	@scripts/imposters $(ARGS)

regional: ## the moves that work on sky, plants, skin and water, where people drew these into photographs beside the repository, on both darktables; COUNT=10 photographs of each, or all
	@scripts/darktable-5.4 >/dev/null; CHEMIGRAM_LOCAL_MOVES=$(or $(COUNT),10) go test -run TestLocalMovesWorkWherePeopleDrewTheRegion -v -count=1 -timeout 120m ./internal/enginetest | grep -E 'within|nothing found|right on|ok|FAIL'

harm: ## every move looked at for harm at both ends of its range, on both darktables and on photographs; ARGS='-entry name'
	@scripts/prove -harm -whole $(ARGS)

series: ## known shifts of light undone, and other light left alone, by match_series: 60 pictures and 40 pairs, on darktable 5.4; PICTURES=60
	@CHEMIGRAM_SERIES=$(or $(PICTURES),60) CHEMIGRAM_TEST_DARKTABLES="$$(scripts/darktable-5.4)" go test -run 'TestShiftsWrittenIntoASeries|TestWhatIsInOtherLight' -v -count=1 -timeout 120m ./internal/enginetest | grep -E 'ΔE|changed|of|ok|FAIL'

match: ## match_reference measured on hidden edits, edits of others, camera renderings and palettes, on both darktables; COUNT=12 of each FROM=0 on, ONLY=TestPalettesAreMatched
	@for dt in "$$(scripts/install-darktable)" "$$(scripts/darktable-5.4)"; do \
		CHEMIGRAM_MATCH=$(or $(COUNT),12) CHEMIGRAM_MATCH_FROM=$(or $(FROM),0) CHEMIGRAM_TEST_DARKTABLES="$$dt" go test -run '$(or $(ONLY),TestHiddenEditsAreFound|TestEditsOfOthersAreMatched|TestCameraRenderingsAreMatched|TestPalettesAreMatched)' -v -count=1 -timeout 300m ./internal/enginetest | grep -E 'ΔE|distance|of|ok|FAIL'; \
	done

effects: ## what moves do to colours, measured anew on both darktables for match_reference
	@scripts/effects

start: ## how often suggest_start is right about lines and light, on all photographs that are there; COUNT=100 SEED=1
	@CHEMIGRAM_START=$(or $(COUNT),100) CHEMIGRAM_START_SEED=$(or $(SEED),1) go test -run 'TestRotationsOf|TestPhotographsWithout|TestTheLightOf' -v -count=1 -timeout 60m ./internal/advise | grep -E 'beside|ΔE|of|ok|FAIL'

remote: ## the tests of the module remote, with a real S3 server
	@scripts/check-remote

farm: ## the tests of the module farm, with real brokers and workers
	@scripts/check-farm

farm-soak: ## three brokers and six workers of the farm, killed at random for FARMTIME (default 10m)
	@CHEMIGRAM_FARM_SOAK=$(or $(FARMTIME),10m) go -C farm test -run TestBrokersAndWorkersAreKilled -v -count=1 -timeout 60m . | grep -E 'pictures|tries|kill|ok|FAIL'

bench-farm: ## the farm's throughput with six workers, and its overhead over a local batch; ROUNDS=3
	@CHEMIGRAM_BENCH_FARM=$(or $(ROUNDS),3) go -C farm test -run 'TestThroughputOfWorkers|TestOverheadOverABatch' -v -count=1 -timeout 60m . | grep -E 'pictures|×|ms|ok|FAIL'

linearizable: ## eight engines in eight processes share three images through one bucket, over a bad network, and are killed: MOVES=300 each, checked by porcupine (test takes a few)
	@cd remote && CHEMIGRAM_MOVES=$(or $(MOVES),300) go test -run TestBranchesAreLinearizable -v -count=1 -timeout 60m . | grep -E 'moves|calls|moved|Ok|lost|ok|FAIL'

heal: ## spots planted into photographs, healed from the place that is found and from that of the most similar colour; SPOTS=34 of each kind
	@CHEMIGRAM_TEST_SPOTS=$(or $(SPOTS),34) go test -run "TestHealsContinue|TestTheBestPlace" -v -count=1 -timeout 30m ./internal/probe | grep -E 'ΔE|worse|ok|FAIL'

responses: ## measure from which value on moves can be seen, and write it into the packs; MOVES='exposure|warmth' for some
	@scripts/responses '$(or $(MOVES),.*)'

bundle: ## bundles (.mcpb) of the server for six systems and processors, checksums and the registry's entry, into dist; TARGETS=linux/amd64 for some
	@scripts/bundle $(TARGETS)

check: ## the fast part: formatting, vet, linter, tests without darktable
	@scripts/check

lint: ## the linter alone
	@scripts/lint

fmt: ## format all Go code
	@go tool -modfile=tools/go.mod gofumpt -w .

generate: ## make the generated files anew
	@go generate ./...

fuzz: ## every fuzz target for FUZZTIME (default 30s each)
	@scripts/fuzz $(or $(FUZZTIME),30s)

files: ## files as they come from everywhere, on both darktables, into docs/files.md; FILES=regexp for some
	@CHEMIGRAM_FILES='$(or $(FILES),.)' go test -run 'TestFilesOfTheWorld|TestFilesThatAreCutOff|TestFilesThatAreRefused|TestPicturesBehindRealHeads|TestACardIsIngested' -v -count=1 -timeout 90m ./internal/enginetest .

arm64: ## the short tests as programs of arm64, which QEMU emulates, and pictures by its darktable: an hour
	@scripts/test-arm64

whole: ## all tests at full length, on both darktables (make test takes samples)
	@CI=true OMP_NUM_THREADS=1 go test -count=1 -timeout 90m -skip '^(TestEveryMoveDoesWhatItClaims|TestAnImposterIsFound)$$' ./...
	@scripts/check-studio

cross: ## compile and vet everything, tests too, for each system and processor
	@for target in linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
		echo $$target; GOOS=$${target%/*} GOARCH=$${target#*/} go vet ./... || exit 1; done

layouts: ## reads the modules of Debian's darktables for amd64 and arm64 from their files, and compares them with the tables
	@CHEMIGRAM_TEST_MODULES=$$(scripts/foreign-modules) go test -run TestFilesSayWhatRunningModulesDo -v -count=1 ./xmp/iop/internal/modulefile | grep -E 'modules, as|ok|FAIL'

soak: ## every verb from many goroutines and processes at once for SOAKTIME (default 10m), under the race detector
	@scripts/soak $(or $(SOAKTIME),10m)

bench: ## every benchmark; BENCH=regexp for some
	@go test -run '^$$' -bench '$(or $(BENCH),.)' -benchmem ./...

bench-render: ## previews from prepared darktables against the command line; ROUNDS=5
	@CHEMIGRAM_BENCH_RENDER=$(or $(ROUNDS),5) go test -run TestLatencyOfPreviews -v -count=1 -timeout 30m ./render | grep -E 'darktable|×|ok|FAIL'

bench-look: ## how soon the first pictures of a raw come, against one run of darktable-cli; ROUNDS=5
	@CHEMIGRAM_BENCH_LOOK=$(or $(ROUNDS),5) go test -run TestHowSoonTheFirstPicturesCome -v -count=1 -timeout 60m ./internal/enginetest | grep -E 'darktable|×|ok|FAIL'

bench-batch: ## eight raws as a batch, against a shell loop of darktable-cli; ROUNDS=3
	@CHEMIGRAM_BENCH_RENDER=$(or $(ROUNDS),3) go test -run TestThroughputOfBatches -v -count=1 -timeout 60m ./render | grep -E 'darktable|×|ok|FAIL'

bench-tokens: ## how much text the answers of a whole session have, with a real darktable
	@CHEMIGRAM_BENCH_TOKENS=1 go test -run TestASessionWithDarktable -v -count=1 ./mcp | grep -E 'tokens|ok|FAIL'

bench-memory: ## what the engine takes beside its darktables, for FRESH=25 pairs of previews and 40 times as many from the cache
	@CHEMIGRAM_BENCH_MEMORY=$(or $(FRESH),25) go test -run TestTheEngineItselfIsSmall -v -count=1 -timeout 60m . | grep -E 'MB|ok|FAIL'

bench-studio: ## the studio's page in Chromium: a slider's stop against the engine's own draft, and frames while the divider is dragged; ROUNDS=7
	@CHEMIGRAM_BENCH_STUDIO=$(or $(ROUNDS),7) scripts/check-studio -run 'TestHowSoonADraftIsOnTheScreen|TestTheDividerFollowsTheHand' -v -timeout 60m | grep -E 'median|ok|FAIL'
