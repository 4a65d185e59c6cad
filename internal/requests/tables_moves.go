package requests

// notPossible is what no move, mask or tool does, with what comes nearest.
var notPossible = []row{
	{NotPossible, "taking out people and things", "Nothing here invents what is behind them. apply_spot covers something small on an even ground; crop or crop_in leave out what is near the edge.", "crop crop_in", `
		$remove/take/cut/photoshop $people; $remove $things; $remove/take out $people/$things; $remove *; out take *; cut out; background remove/removal/transparent/cutout; transparent; cutout; object removal; content aware; magic eraser; declutter`},
	{NotPossible, "taking out reflections and glare", "apply_spot covers a small one; highlights and dehaze weaken a veil of light.", "highlights dehaze", `
		$remove/no/without/reduce/get reflection/reflections/glare/flare/shine; reflection/reflections glass/glasses/window; lens flare $remove; shiny/glare/glary`},
	{NotPossible, "blurring by movement", "Nothing here knows how things moved; texture downwards within a mask smooths water.", "texture", `
		motion blur; panning; radial/zoom blur; long exposure effect/look/water; silky/smooth/milky water/waterfall; light trails`},
	{NotPossible, "putting in what was not photographed", "Nothing here makes up or combines pictures. Another sky: sky_darker, graduated_blue and the looks change the one that is there.", "graduated_blue sky_darker", `
		replace/swap/change/exchange/new/different/better/another sky; add/put clouds/cloud/sun/moon/stars/rain/snow/rainbow/lightning/birds/bird/people/person/car/tree/flowers/smoke/fire/light/lights/rays/snowflakes/leaves/balloon/plane/airplane/shadow
		$add *; replace/swap/exchange *; replace/swap/exchange background/person/object/thing/building; add $things/$people; sky replacement; put in; composite`},
	{NotPossible, "adding light that was not there", "bloom lets lights spill over, veil lays light over everything; exposure within a gradient or a path brightens a part.", "bloom veil", `
		lens flare/flares; sun/god/light ray/rays/beam/beams/flare/star/sunstar/burst; sunbeam/sunbeams; sunstar; flare add; studio light; relight face/subject; change/move direction light; shadow direction; rim light; catchlight/catchlights; flash add`},
	{NotPossible, "filling in what is not there", "Nothing here makes up pixels; crop leaves out empty corners.", "crop crop_in", `
		generative; ai fill/expand/extend/background; fill corner/corners/missing/gap/in/area; extend/expand/widen canvas/background/frame/picture/image/sky/edges; outpaint; inpaint; uncrop; content fill`},
	{NotPossible, "changing shapes of faces and bodies", "Nothing here bends a picture. perspective_* and straighten change its frame.", "", `
		liquify; warp; puppet; reshape; slim/slimmer/thin/thinner/fatter/taller/shorter/skinny/skinnier; waist/belly/nose/chin/arms/legs smaller/slimmer/thinner/bigger/longer/shorter/slim; lose weight; bigger/smaller/larger eyes/head/lips/breasts/muscles; open/close eyes/mouth; smile; body shape; stretch; face swap; swap face/faces/head/heads; double chin; remove weight/fat/belly`},
	{NotPossible, "make-up and age", "skin_softer and smooth_skin soften skin; reds_saturation within a drawn mask strengthens lips.", "skin_softer smooth_skin", `
		younger/older/age; makeup/mascara/eyeliner/blush; make up face/her/him; lipstick; hair colour/color/dye; grey hair; bald; beard; shave; braces`},
	{NotPossible, "whitening teeth by themselves", "Draw a path around the teeth: yellows_saturation downwards and a little exposure within it.", "yellows_saturation exposure", `teeth/smile whiten/white/whiter/yellow/bright/brighter/brighten/clean; teeth; whites eyes whiten/whiter/bright`},
	{NotPossible, "removing red eyes by themselves", "Draw a circle on each pupil: reds_saturation all the way down within it.", "reds_saturation", `red eye/eyes; pet eye/eyes; redeye`},
	{NotPossible, "giving one thing another colour", "The moves *_hue turn one range of colours towards its neighbours, hue_shift within a drawn mask turns it further.", "hue_shift", `
		$verb background/wall/wallpaper/backdrop/floor/house/roof/grass $colours; $verb background/backdrop/wall colour/color; $verb dress/shirt/car/jacket/coat/hat/hair/eyes/eye/clothes/tie/shoes/skirt/sofa/flower/flowers/door/suit $colours; dress/shirt/car/jacket/coat/hat/tie/skirt $colours/colour/color; replace/swap/change colour/color; selective colour/color splash; colour/color splash; background colour/color`},
	{NotPossible, "colouring black-and-white pictures", "grade_* and split_* give the tones one colour each.", "split_sepia grade_midtones", `colourise/colorize/colourize/colorise; add/give colour/color old/black; black white colour/color to/into turn`},
	{NotPossible, "joining pictures", "One raw is one picture here. dynamic_range, shadows and highlights bring the ends of its light together; crop_panorama_2_1 crops a wide one.", "dynamic_range shadows highlights", `
		stitch; panorama make/create/merge/stitch/join/from; merge/combine/blend/stack/fuse/join bracket/brackets/bracketed/exposures/shots/photos/pictures/images/frames/raws/hdr; hdr merge/bracket/brackets/combine; focus stack/stacking/bracket; image/star/astro/exposure/photo stack/stacking; double/multiple exposure; collage; diptych; blend two/three/layers/images/exposures; layers; overlay picture/photo/image/texture; star trails; superimpose; montage`},
	{NotPossible, "texts and logos", "No move does it. The group expert has set_parameters, which reaches darktable's module watermark; otherwise add it after export_final.", "", `
		$add/write/overlay text/caption/title/watermark/signature/logo/copyright/name/date/words/quote/stamp/writing/letters; text/caption/title/signature on/over/photo/picture; watermark; signature; my logo/name; date stamp`},
	{NotPossible, "borders and frames", "No move does it. The group expert has set_parameters, which reaches darktable's module borders; otherwise add it after export_final.", "", `
		border/borders/passepartout/mat; $add/white/black/thin/picture frame; polaroid frame/border; film border/edge; rounded corners`},
	{NotPossible, "presets of other programs", "A .dtstyle of darktable can be an entry of a pack, import_sidecar takes over an edit of darktable, and the looks (look_*) are starting points.", "look_natural_punch", `
		lightroom/photoshop/snapseed/luminar/vsco/affinity/gimp/rawtherapee/aperture/instagram preset/presets/filter/filters/action/actions/catalogue/catalog/settings/edit; capture one; lut/luts/cube; lightroom; photoshop; preset/presets import/load/use/install; dcp camera profile; instagram filter/filters`},
	{NotPossible, "enlarging", "export_final gives up to the full size and never invents pixels.", "", `
		upscale; upsize; upres; enlarge; super resolution; twice/double/bigger/larger/higher/2x/4x size/resolution/pixels; increase/more/add resolution/pixels/megapixels; gigapixel; topaz; enhance resolution`},
	{NotPossible, "making a blurred picture sharp", "sharpen, texture and clarity make what is there crisper; what the lens did not draw stays lost.", "sharpen texture clarity", `
		blurry/blurred/unsharp/unfocused fix/picture/photo/sharp/rescue/save/face/subject/it; missed/wrong/out focus; camera shake/shaky; deblur; unblur; refocus; change focus/focal; deconvolution; blurry; focus fix/is/on`},
	{NotPossible, "sending and printing", "export_final writes the file; sending or printing it is for another program.", "", `
		print; printing; printer; email/mail/send/text client/friend/him/her/them/it/me/photo; email; upload; post instagram/facebook/online/it; share; publish; whatsapp; cloud; dropbox; print size/lab/poster`},
	{NotPossible, "inks and CMYK", "export_final writes RGB with the colour spaces that it lists; a printer's program makes CMYK of it.", "", `cmyk; spot colour/color ink; pantone; separations; soft proof; proof print; halftone`},
	{NotPossible, "moving pictures", "One picture at a time, and each as a still.", "", `video; gif; timelapse; time lapse; animation; animate; slideshow; boomerang; live photo; cinemagraph; movie from/make/of`},
	{NotPossible, "knowing who or what is in a picture", "Look at a preview; masks select by light, colour and place.", "", `recognise/recognize/identify/detect/find/who face/faces/person/people/her/him; face recognition/detection; who is; what species; keywording; auto tag; reverse search`},
	{NotPossible, "keeping folders and catalogues", "Raws stay where they are; list_images and set_rating (group admin) sort what is edited here.", "", `rename file/files/photos/pictures; folder/folders/album/collection/catalogue/catalog move/make/create/sort; organise/organize; sort photos/pictures/images; duplicates find/remove; move file/files/raw/raws`},
	{NotPossible, "painting and drawing styles", "orton, bloom and the looks are what comes nearest.", "orton bloom", `cartoon; sketch; painting/oil/watercolour/watercolor/impressionist/drawing/pencil/anime/pixar/comic turn/into/effect/style/filter/look; style transfer; pixelate; mosaic; glitch; posterise/posterize; kaleidoscope; emboss`},
	{NotPossible, "three dimensions", "A picture has no depth here.", "", `3d; depth map; parallax; stereo; vr; hologram`},
	{NotPossible, "hiding a part on purpose", "Nothing here blots out a part; exposure within a drawn mask at its lowest darkens it.", "exposure", `censor; blur/pixelate/hide/obscure/anonymise/anonymize face/faces/plate/plates/licence/license/number/name/house; redact; licence/license plate`},
}

// moves are what photographers call moves by other words.
var moves = []row{
	// Moves that are easily taken for each other.
	{Move, "", "", "structure clarity local_contrast", `structure; structure wall/stone/rock/rocks/machine/old; relief hard/harder/dry/drier/rugged/rough; relief hard/harder/dry/drier/rugged rock/rocks/wall/stone/machine/castle; grit concrete/stone/wall/rock/machine/rust; gritty face/skin/wall/stone/weathered; rough/rougher/rugged wall/walls/stone/rock/rocks/surface; old wall/stone rough/rougher; harder/hard drier/dry clarity`},
	{Move, "", "", "clarity local_contrast structure", `clarity; clarity cloud/clouds; negative/less/soft/soften clarity; clarity portrait/face soft/soften; local contrast; local contrast more/less; midtone/midtones/mid contrast; relief fabric/cloth/bark/surfaces; relief fabric/cloth/bark lift/bring/out/more`},
	{Move, "", "", "texture clarity structure", `texture; weave; weave cloth/fabric; surface/surfaces fabric/cloth/wood/leather/fine/finer; sand grain/grains; pores leather/wood/paper; smooth/calm gravel/sand/pebbles; show weave cloth`},
	{Move, "", "", "sharpen sharpen_fine sharpen_coarse", `unsharp mask; edges soft; edges soft look/looks; sharpen/sharp/sharper print`},
	{Move, "", "", "brilliance chroma", `
		brilliance; luminous; lit within/inside; colours/colors/flowers/flower lit within/inside; glow/glowing/shine colours/colors/colour/color/flowers/flower/glass/sweets/petals; colours/colors shine/glow inside/within
		stained glass glow/glowing/shine; heavy/heavier colours/colors; lighter/brighter purer; lighter/brighter purer colours/colors; jewel/jewels colours/colors/glow`},
	{Move, "", "", "chroma saturation vibrance", `
		chroma; purer colour/colours/color/colors; colour/colours/color/colors paint
		colour/colours/color/colors/colourful/colorful lightness/brightness; colour/colours/color/colors/colourful/colorful same/keep/without/richer/purer/less/more lightness/brightness/darker/darkening/lighter
		colour/colours/color/colors/colourful/colorful same/keep/without richer/purer/more/less lightness/brightness/darker/darkening`},
	{Move, "", "", "saturation vibrance", `colours/colors/colour/color pale/paler/all; all colours/colors same share/amount; all colours/colors stronger/paler/weaker; pastel mood; pastel colours/colors; all colours/colors stronger/paler same share`},
	{Move, "", "", "exposure", `overexposed/underexposed stop/stops`},
	{Move, "", "", "velvia look_slide_film vibrance", `strong/vivid colours/colors stronger grey/greys/gray/grays/pale; pale/greys/grays stay/alone strong/vivid colours/colors; vivid/strong colours/colors only/alone; slide film strong/vivid/saturated/autumn colours/colors; slide film saturated/autumn; velvia colours/colors/effect/sea/film; landscape film colours/colors`},
	{Move, "", "", "gamma midtones", `gamma; gamma 1 2; gamma more/less/raise/lower; everything between black white; black white right middle; between black white brighten/brighter/darken/darker`},
	{Move, "", "", "midtones gamma curve_midtones", `
		midtones/midtone/mids bright/brighten/brighter/light/lift/lighter/lighten/dark/darken/darker/open/lower/raise/up/down
		middle/mid tone/tones; middle/mid tone/tones bright/brighten/brighter/light/lift/lighter/lighten/dark/darken/darker/open/lower/raise; middle/mid tones brighter/darker sky`},
	{Move, "", "", "curve_midtones midtones gamma", `curve/curves middle/midpoint/midtones/midtone/mids; tone curve raise/lift/lower/bend/drag middle; tone curve middle/midpoint/midtones/midtone; curve/curves mid tone/tones; tone curve bright/brighter/dark/darker middle; curve/curves midpoint/middle lower/raise/lift/up/down/bend/drag`},
	{Move, "", "", "golden_hour look_golden_hour warmth", `golden hour light/colour/color/hint/amber/rose; golden hour light colour/color/hint/only/tones; amber light/sun/evening/glow; rose/rosy light/amber; amber/rose evening/hour light/sun; colour/color evening/golden light/sun`},
	{Move, "", "", "look_golden_hour golden_hour", `golden hour; golden hour look/style/preset/mood/whole/turn/like; sunset/evening look soft; golden evening look/mood`},
	{Move, "", "", "sky_cooler blues_saturation", `cool/cooler/cold/colder sky; cool/cooler/cold/colder blue sky; sky warm/yellow too/looks/very; cool/cooler/colder sky land/ground`},
	{Move, "", "", "warmth", `white balance warm/warmer/cool/cooler/cold/colder; warm/warmer/cool/cooler/cold/colder/cosy/cozy light`},
	{Move, "", "", "zone_1_black", `zone 1/one/first; zone 1/one/first $dodge`},
	{Move, "", "", "zone_2_deep_shadows", `zone 2/ii/two/second; zone 2/ii/two/second $dodge`},
	{Move, "", "", "zone_3_dark_shadows", `zone 3/iii/three/third; zone 3/iii/three/third $dodge`},
	{Move, "", "", "zone_4_shadows", `zone 4/iv/four/fourth; zone 4/iv/four/fourth $dodge`},
	{Move, "", "", "zone_5_light_shadows", `zone 5/v/five/fifth; zone 5/v/five/fifth $dodge`},
	{Move, "", "", "zone_6_middle", `zone 6/vi/six/sixth; zone 6/vi/six/sixth $dodge`},
	{Move, "", "", "zone_7_light", `zone 7/vii/seven/seventh; zone 7/vii/seven/seventh $dodge`},
	{Move, "", "", "zone_8_bright", `zone 8/viii/eight/eighth; zone 8/viii/eight/eighth $dodge`},
	{Move, "", "", "zone_9_white", `zone 9/ix/nine/ninth; zone 9/ix/nine/ninth $dodge`},
	{Move, "", "", "straighten", `horizon; crooked; slanted; skewed; sloping; slope; tilted/tilt; not level/straight; level; wonky; askew; lopsided; leaning horizon/sea`},
	{Move, "", "", "perspective_up perspective_down perspective_left perspective_right straighten", `
		lean/leans/leaning/falling/fall/tipping/converging/converge/keystone/keystoning/distorted/upright/vertical building/buildings/tower/towers/house/houses/church/wall/walls/line/lines/verticals/facade/skyscraper/column/columns/architecture
		converging/upright verticals/lines; verticals; buildings backwards/back; keystone; keystoning; perspective; shift lens`},
	{Move, "", "", "prepare_lens_correction prepare_lens_profile vignette_light", `
		lens vignette/vignetting/corners/falloff dark; lens corners; remove/correct/fix/reduce/no/lift vignette/vignetting; corners too dark; light fall corners; brighten/lighten corners`},
	{Move, "", "", "prepare_lens_correction prepare_lens_profile", `lens distortion/correction/profile/barrel/pincushion/fisheye/bent/bend; barrel/pincushion distortion; fisheye; distortion; straight lines bent/curved; lensfun; optical correction/corrections`},
	{Move, "", "", "vignette edges_burn vignette_wide", `dark/darken/darker corners/edges/borders; add/put vignette/vignetting; burn edges/corners; draw/lead/focus eye centre/center/middle/subject`},
	{Move, "", "", "defringe chromatic_aberration", `purple/green/violet fringe/fringing/fringes/halo/edges/outline; fringe; fringing; fringes`},
	{Move, "", "", "chromatic_aberration prepare_chromatic_aberration defringe", `chromatic aberration; colour/color seams/edges/fringes/fringing; ca; red cyan edges; lateral`},
	{Move, "", "", "prepare_extreme_iso prepare_high_iso denoise", `12800/25600/51200/102400; extreme iso; noise/noisy/grainy/iso 12800/25600/51200/102400; noise/noisy extreme/terrible/awful`},
	{Move, "", "", "prepare_high_iso denoise denoise_fine", `high iso; iso 3200/6400/4000/5000/8000; noise/noisy iso; noisy/noise concert/night/indoor/dark`},
	{Move, "", "", "denoise denoise_fine prepare_high_iso", `noise; noisy; grainy remove/less/too/reduce; grain remove/reduce/less/too/clean; denoise; smooth noise; colour/color/luminance noise; speckled; speckles; blotchy shadows`},
	{Move, "", "", "denoise_night_sky denoise prepare_long_exposure", `noise/noisy sky/stars/night; noise milky/astro`},
	{Move, "", "", "prepare_hot_pixels prepare_hot_pixels_strong", `hot/stuck/dead pixel/pixels; bright/white/red dots/specks long/night`},
	{Move, "", "", "dehaze", `haze/hazy/fog/foggy/mist/misty/smog/smoke remove/cut/clear/through/less/reduce/out/rid/too; hazy; washed distance; murky; clear air/view/distance`},
	{Move, "", "", "look_misty_morning", `add/more/make haze/fog/foggy/mist/misty/hazy`},
	{Move, "", "", "contrast vibrance clarity look_natural_punch", `flat; dull; bland; lifeless; boring; drab; washed; lacks/needs/missing/some/more life; no life; blah`},
	{Move, "", "", "look_natural_punch clarity contrast vibrance", `punch; punchy; pop; wow; vivid make; impact; oomph; snap; lively; livelier; eye catching`},
	{Move, "", "", "vibrance saturation look_natural_punch", `colours/colors/colour/color pop/richer/vivid/stronger/brighter/livelier/punchy/more/lively/intense; colourful/colorful; more colour/color; vivid`},
	{Move, "", "", "reds_saturation", `tone/calm/less/reduce/mute/too/lower/weaker/strong/stronger/more/intense reds/red; red/reds too/less/strong/pale/calm/tone/dominant/loud/oversaturated`},
	{Move, "", "", "greens_saturation", `tone/calm/less/reduce/mute/lower/weaker greens; less/saturated/muted greens`},
	{Move, "", "", "blues_saturation", `tone/calm/less/reduce/mute/lower/weaker blues`},
	{Move, "", "", "yellows_saturation", `tone/calm/less/reduce/mute/lower/weaker yellows`},
	{Move, "", "", "saturation vibrance", `oversaturated; colours/colors/colour/color too/less/strong/garish/muted/calm/tone/loud/screaming/softer/paler; garish; gaudy; muted; desaturated; less colour/color/saturated/colourful`},
	{Move, "", "", "look_moody", `moody; moodier; mood dark; gloomy; brooding; dark atmosphere; sombre`},
	{Move, "", "", "look_portrait_film look_slide_film look_faded_film grain_fine", `film look/like/feel/style/analog/analogue/stock/grain/emulate/simulation; analog/analogue; portra; kodak; fuji; fujifilm; negative film; colour/color negative; shot on film; cinestill; ektar`},
	{Move, "", "", "look_slide_film velvia", `slide film/look; kodachrome; ektachrome; provia; transparency; velvia`},
	{Move, "", "", "look_instant_film", `polaroid; instant/instax film/camera/look; instax`},
	{Move, "", "", "look_bw_pushed grain_coarse look_bw_classic", `tri x; trix; hp5; ilford; delta 3200; t max; tmax; pushed film; grainy black/bw; grainy b w`},
	{Move, "", "", "look_cinema split_teal_orange", `cinematic; cinema; movie; hollywood; film still; blockbuster; like movie/film scene; teal orange`},
	{Move, "", "", "look_sepia split_sepia", `sepia; brown/brownish/browned photo/photograph/print/tone/toned/old; antique; old brown/brownish/photograph; victorian; daguerreotype`},
	{Move, "", "", "look_faded_film look_seventies look_expired_film", `vintage; retro; nostalgic; nostalgia; seventies/70s; eighties/80s; faded; old photo/photograph/print/look/film; aged; lomo; lomography`},
	{Move, "", "", "look_bw_low_key look_bw_dramatic", `noir; low key; film noir; chiaroscuro black/bw`},
	{Move, "", "", "look_bw_high_key look_bright_airy", `high key`},
	{Move, "", "", "bw_red_filter look_bw_dramatic bw_orange_filter", `black/bw/monochrome dark/dramatic/darker/deep/stormy sky; red filter; ansel adams; black white dark/dramatic/darker sky; b w dark/dramatic sky`},
	{Move, "", "", "black_and_white look_bw_classic", `black white; bw; b w; monochrome; greyscale; grayscale; desaturate completely; no/without colour/color; take colour/color out; drop colour/color`},
	{Move, "", "", "highlights recover_plain recover_to_white bright_sky", `
		blown; burnt; burned; overexposed; clipped whites/highlights/sky/window; highlights/sky/whites/dress/window/clouds/lights blown/burnt/recover/rescue/save/bring/pull/too/lost/washed/detail/out; too bright sky/window/highlights; detail/details/texture sky/clouds/highlights/white/whites/dress/window/snow; harsh highlights`},
	{Move, "", "", "shadows", `open/lift/brighten/raise/fill/boost/recover/bring shadows/shadow/dark/darks/shade; shadows/shadow/darks too/dark/detail/details/blocked/black; detail/details dark/shadows/blacks; fill light; underexposed shadows; blocked`},
	{Move, "", "", "shadows subject_brighten dynamic_range", `backlit; backlight; silhouette/silhouetted; against sun/light/window/sky; face/faces/people/subject dark/darker/shadow/shade/underexposed; window bright behind`},
	{Move, "", "", "dynamic_range shadows highlights", `hdr look/effect/style; too/high/harsh/hard contrast/light; harsh/hard/noon/midday sun/light; dynamic range; harsh`},
	{Move, "", "", "exposure", `too/very bright/dark; brighten/brighter/lighten/lighter/darken/darker whole/everything/overall/it/bit/little; underexposed; stop/stops; ev; exposure; brighter; darker; lighter; brighten; lighten; darken; more light; brightness; dim; gloomy too`},
	{Move, "", "", "exposure gain", `snow/snowy grey/gray/dull/dark/white; grey/gray snow; white/whites grey/gray/dull/dirty; whites whiter/clean/brighter`},
	{Move, "", "", "black_point lift sigmoid_black", `blacks/black lift/lifted/raise/raised/fade/faded/matte/grey/gray/milky; matte; milky blacks; faded blacks`},
	{Move, "", "", "black_point deep_shadows", `blacks/black deep/deeper/deepen/crush/crushed/rich/richer/darker/true/more/solid; crush; inky; punchier/darker blacks`},
	{Move, "", "", "warmth golden_hour", `warm; warmer; warm up; too cold/cool; colder; cosy; cozy; more warmth`},
	{Move, "", "", "warmth cool_tungsten tint", `too yellow/orange/warm/amber; yellow/orange cast; cool; cooler; cool down; less yellow/orange/warm; looks/all/everything yellow/orange; yellowish; orangey; tungsten/lamp/bulb/indoor light/yellow/orange`},
	{Move, "", "", "warmth warm_open_shade", `too blue/cold/cool/bluish; blue cast; looks/all/everything blue/cold; bluish; blueish; open shade; overcast cold/blue; less blue/cold`},
	{Move, "", "", "clear_fluorescent tint", `green cast office/fluorescent/led/neon/lights/lamps/tube; fluorescent; green office/fluorescent/led/lights`},
	{Move, "", "", "tint clear_fluorescent", `too green; green/greenish cast; greenish; looks/all/everything green; magenta/pink/purple cast; too magenta/pink/purple; looks/all/everything magenta/pink/purple; tint`},
	{Move, "", "", "skin_warmer oranges_hue reds_saturation", `skin/face/faces/complexion too/looks/very red/pink/magenta/ruddy/sunburnt/sunburned/flushed; red/ruddy/blotchy/flushed/sunburnt skin/face/faces; redness; sunburn; skin/face tone/tones/colour/color/pale/green/grey/gray/sallow/yellow/ashen`},
	{Move, "", "", "skin_softer smooth_skin", `skin soft/softer/soften/smooth/smoother/texture/pores; wrinkle/wrinkles/pores/lines soften/smooth/reduce/less/remove/fewer; wrinkles; pores; soft/softer/smooth skin/face/portrait/complexion; frequency separation; beauty retouch; porcelain skin; bags eyes; eye bags; dark circles`},
	{Move, "", "within a circle on each eye: apply_per_region.", "exposure brilliance_midtones subject_brighten", `eyes/eye bright/brighter/brighten/lighter/sparkle/pop/stand/shine/enhance/lighten; iris; eyes dark`},
	{Move, "", "", "subject_brighten midtones", `brighten/brighter/lighten/lift/light/spotlight face/faces/subject/person/people/centre/center/middle/her/him; face/faces/subject brighter/light/glow/stand; spotlight; subject pop/stand/attention`},
	{Move, "", "", "greens_saturation foliage_greener greens_hue", `grass/lawn/leaves/foliage/greens/green/trees/meadow neon/radioactive/garish/digital/too/fake/unnatural/acid/electric/loud/less/calm/calmer/tone/saturated/muted; neon green/greens/grass`},
	{Move, "", "", "greens_hue look_autumn oranges_saturation", `leaves/foliage/trees/grass/forest/greens orange/autumn/red/golden/brown/yellow/fall; autumn/fall leaves/foliage/trees turn; green orange/yellow turn; summer autumn`},
	{Move, "", "", "look_autumn oranges_saturation vibrance", `autumn/fall colours/colors/colour/color/mood/look/warm/tones; autumn/fall richer/stronger/vivid`},
	{Move, "", "", "foliage_greener greens_saturation", `greener; lush; leaves/grass/foliage/trees green/greener/richer/fresh/fresher/juicier/lush/stronger`},
	{Move, "", "", "golden_hour look_golden_hour", `golden light/glow/sun; sunset/sunrise light/glow/warmth/mood/feel; evening sun/light; warm sunlight`},
	{Move, "", "", "look_moonlight moonlight", `day night; moon/moonlight/moonlit light/night/look/like/as/by; moonlit; night turn/into/look day; as night`},
	{Move, "", "", "candlelight look_candlelight", `candle/candles/candlelight/candlelit/firelight/fireplace/fire light/glow/mood/feeling/look; candlelight`},
	{Move, "", "", "look_starry_sky denoise_night_sky", `stars stand/out/visible/brighter/more/pop/clear/crisp; milky way; astro; starry; night sky stars`},
	{Move, "", "", "look_night_city", `city/skyline night/lights; night city/street/skyline`},
	{Move, "", "", "rotate_half", `upside down; 180; rotate/turn 180/half; head down`},
	{Move, "", "", "mirror", `flip; mirror; flip/mirror horizontally/horizontal/left; reverse left; mirrored`},
	{Move, "", "", "mirror_vertical", `flip/mirror vertically/vertical/top`},
	{Move, "", "", "rotate_left rotate_right", `rotate/turn 90/quarter left/counterclockwise/anticlockwise/anti/counter; rotate/turn left/counterclockwise/anticlockwise/ccw; counter/anti clockwise rotate/turn`},
	{Move, "", "", "rotate_right rotate_left", `rotate/turn 90/quarter clockwise/right; rotate/turn right/clockwise/cw; rotate; sideways; wrong way round/up; orientation; portrait orientation; 90 degrees`},
	{Move, "", "", "crop_in crop", `crop tight/tighter/closer/in/bit/more; closer; tighter; zoom in; zoom; step/come closer; bigger/larger/fill frame subject`},
	{Move, "", "", "crop", `crop; trim; cut off/left/right/top/bottom/side/edge/edges; recompose; reframe; rule thirds; composition`},
	{Move, "", "", "crop_square crop", `square; 1 1; crop square; instagram square`},
	{Move, "", "", "crop_4_5 crop_5_4", `4 5; crop 4 5; instagram portrait/crop/format; crop instagram`},
	{Move, "", "", "crop_5_4 crop_4_5", `5 4; 8 10; 10 8`},
	{Move, "", "", "crop_4_3", `4 3; crop tablet`},
	{Move, "", "", "crop_16_9", `16 9; widescreen/wide format/crop; crop wide/screen/wallpaper/desktop/tv/youtube; wallpaper`},
	{Move, "", "", "crop_panorama_2_1", `crop panorama/panoramic; panorama/panoramic format/crop; 2 1`},
	{Move, "", "", "crop_cinema", `letterbox; crop cinema; anamorphic; 2 39; cinemascope`},
	{Move, "", "", "clarity local_contrast highlights bright_sky", `depth/drama/dramatic/structure/definition/relief/volume/shape clouds/cloud/sky; clouds/cloud stand/dramatic/pop/detail/definition/more/stronger/depth/drama; dramatic sky/clouds; sky drama/dramatic/interesting`},
	{Move, "", "", "sky_darker graduated_soft highlights", `dark/darken/darker/deep/deeper sky; sky dark/darken/darker/too/deep/deeper; polariser/polarizer/polarising; sky bright/pale/white/washed; nd/graduated/neutral filter/density`},
	{Move, "", "", "blues_saturation sky_cooler graduated_blue", `blue/bluer/richer sky; sky blue/bluer/colour/color/richer/more/intense; sky pop`},
	{Move, "", "", "graduated_sunset look_golden_hour", `sunset sky; sky sunset/orange/red/dramatic/fiery`},
	{Move, "", "", "water_deeper", `lake/sea/water/river/ocean/pond dark/darken/darker/deep/deeper`},
	{Move, "", "", "aquas_saturation aquas_hue look_seascape", `turquoise/teal/caribbean/tropical/aqua water/sea/ocean/lake/lagoon; sea/water/ocean turquoise/teal/blue/bluer; tropical`},
	{Move, "", "", "sharpen sharpen_fine", `sharp; sharper; sharpen; sharpening; crisp; crisper; crispness; sharpness; soft too`},
	{Move, "", "", "sharpen_fine sharpen", `sharpen/sharp/sharper/crisp eyelashes/lashes/eyes/hair/details/detail/fine/feathers/fur/grass; fine detail/details`},
	{Move, "", "", "sharpen_coarse sharpen", `sharpen/sharp web/screen/small/instagram/online/internet; output sharpening`},
	{Move, "", "", "texture clarity", `texture; detail/details more/bring/enhance/out; fur/feathers/bark/fabric/stone/rock detail/texture/crisp/more; gritty; tactile; micro contrast`},
	{Move, "", "", "look_street_grit look_character", `gritty/grit/rough/raw street/urban/city/portrait/look; gritty look; street gritty/grit; urban grit`},
	{Move, "", "", "look_bw_pushed look_bw_classic look_street_grit", `black/bw white/street gritty/contrast/contrasty/hard/harsh; black white high/hard/strong contrast; black white gritty/grit/street; contrasty black/bw; daido/moriyama`},
	{Move, "", "", "contrast", `contrast; contrasty; more contrast; low/less/no contrast`},
	{Move, "", "", "grain_fine grain_coarse", `grain; add/more/some/film grain; grain like; analog/analogue grain`},
	{Move, "", "", "blur soft_focus", `
		blur background/behind/surroundings/foreground/everything/rest; background blurry/soft/softer/focus/out; bokeh; depth field; shallow depth/focus; portrait mode; tilt shift; miniature; lens blur; defocus; blur; background blur`},
	{Move, "", "", "soft_focus orton look_dreamy_glow", `dreamy; dreamlike; glow; glowy; ethereal; soft light/glow/focus/look; fairy; magical; romantic`},
	{Move, "", "", "look_bright_airy", `bright airy/clean/fresh; airy; light airy; scandinavian; fresh clean`},
	{Move, "", "", "look_wedding_pastel", `pastel; wedding; bride`},
	{Move, "", "", "look_product_white look_catalogue", `product; white background/backdrop product/shop/amazon/clean; catalogue/catalog/shop/amazon/packshot`},
	{Move, "", "", "split_teal_orange split_blue_gold", `split tone/toning; tone/toning shadows/highlights blue/orange/gold/teal; colour/color grade/grading`},
	{Move, "", "", "use_filmic use_sigmoid use_agx", `tone mapper/mapping; filmic/sigmoid/agx use/switch/change`},
	{Move, "", "", "bw_infrared look_bw_infrared", `infrared; infra red`},
	{Move, "", "", "look_editorial", `magazine; editorial; vogue; business portrait; linkedin; headshot; professional portrait`},
	{Move, "", "", "look_bakery look_dark_table look_crisp_greens", `food; appetising/appetizing; tasty; delicious; dish`},
	{Move, "", "", "look_neon", `neon/cyberpunk city/night/look/lights/street/signs; cyberpunk; blade runner`},
	{Move, "", "", "look_winter_light", `winter mood/look/light/cold/wintry/snowy; wintry`},
	{Move, "", "", "look_storm", `storm/stormy/thunder look/mood/sky/weather; stormy`},
}

// masks are parts of a picture that have a name.
var masks = []row{
	{Mask, "sky", "Any sky, found in the picture: look at it with preview_mask, and point where it is wrong. Pass it as mask. sky_blue is its blue alone.", "", `$select sky/clouds`},
	{Mask, "skin", "Faces and other bare skin, found in the picture: look at it with preview_mask, and point where it is wrong. Pass it as mask.", "", `$select skin/face/faces`},
	{Mask, "plants", "Grass, leaves and trees, found in the picture: look at it with preview_mask, and point where it is wrong. Pass it as mask. foliage is what is green.", "", `$select foliage/leaves/leaf/grass/trees/tree/plants/greenery/lawn/meadow/bushes/vegetation/forest`},
	{Mask, "water", "Sea, lakes and rivers, found in the picture: look at it with preview_mask, and point where it is wrong. Pass it as mask.", "", `$select water/lake/sea/river/ocean/pond`},
	{Mask, "subject", "What the picture is of, found in the picture: look at it with preview_mask, and point where it is wrong. Pass it as mask.", "", `$select subject/person/people/man/woman/child/dog/cat/main/model/portrait`},
	{Mask, "subject_centre", "The middle of the picture. Pass it as mask, and see it with preview_mask.", "", `$select middle/centre/center`},
	{Mask, "background", "Everything but the subject, found in the picture: look at it with preview_mask, and point where it is wrong. Pass it as mask.", "", `$select background/surroundings/backdrop/behind`},
	{Mask, "bottom_third", "Pass it as mask, and see it with preview_mask.", "", `$select/edit/work foreground/bottom/lower/ground`},
	{Mask, "top_third", "Pass it as mask, and see it with preview_mask.", "", `$select top/upper`},
	{Mask, "left_third", "Pass it as mask, and see it with preview_mask.", "", `$select left`},
	{Mask, "right_third", "Pass it as mask, and see it with preview_mask.", "", `$select right`},
	{Mask, "edges", "Pass it as mask, and see it with preview_mask.", "", `$select edges/rim/corners/border/edge`},
	{Mask, "shadows", "Pass it as mask, and see it with preview_mask.", "", `$select shadows/shadow/dark/darks/shade`},
	{Mask, "highlights", "Pass it as mask, and see it with preview_mask.", "", `$select highlights/bright/lights/whites`},
	{Mask, "midtones", "Pass it as mask, and see it with preview_mask.", "", `$select midtones/midtone`},
	{Mask, "reds", "Pass it as mask, and see it with preview_mask.", "", `select/selection/mask/isolate red/reds`},
	{Mask, "yellows", "Pass it as mask, and see it with preview_mask.", "", `select/selection/mask/isolate yellow/yellows`},
	{Mask, "neutrals", "Pass it as mask, and see it with preview_mask.", "", `select/selection/mask/isolate grey/neutral/neutrals/stone/concrete/asphalt`},
}
