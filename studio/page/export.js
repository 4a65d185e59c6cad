// Writes the finished picture into the image's folder of exports.
import {html, useState} from "./vendor/htm-preact.js";
import * as api from "./api.js";
import {useStudio, attempt, readOnly, shownEvent} from "./state.js";

export function Export() {
	const s = useStudio();
	const [format, as] = useState("jpeg");
	const [size, large] = useState("");
	const [quality, good] = useState(95);
	const [progress, report] = useState(null);
	const [done, finish] = useState(null);
	const lossy = ["jpeg", "webp", "avif", "jxl"].includes(format);
	const write = e => {
		e.preventDefault();
		finish(null);
		report({progress: 0, total: 0, message: "export"});
		attempt(async () => {
			const args = {image_id: s.image, ref_or_hash: shownEvent(), format, ...(size && {size: Number(size)}), ...(lossy && {encoder_quality: Number(quality)})};
			finish({...await api.callWithProgress("export_final", args, report), image: s.image});
		}).finally(() => report(null));
	};
	const name = done?.output_path.split(/[/\\]/).at(-1);
	return html`<form class="export" onSubmit=${write}>
		<label>Format <select id="format" value=${format} onChange=${e => as(e.target.value)}>${["jpeg", "png", "tiff", "webp", "avif", "jxl"].map(f => html`<option value=${f}>${f}</option>`)}</select></label>
		<label>Longest edge <input id="export-size" type="number" min="16" max="16384" placeholder="full size" value=${size} onInput=${e => large(e.target.value)} /></label>
		<label>Quality <input id="quality" type="number" min="1" max="100" disabled=${!lossy} value=${quality} onInput=${e => good(e.target.value)} /></label>
		<button type="submit" id="export" disabled=${readOnly() || progress}>Export</button>
		${progress && html`<progress aria-label="Export" max=${progress.total || 1} value=${progress.total ? progress.progress : undefined}></progress><p class="hint">${progress.message}</p>`}
		${done && html`<p id="exported">${done.width} × ${done.height}, ${(done.bytes / 1e6).toFixed(2)} MB: <a download=${name} href=${"export?" + new URLSearchParams({image: done.image, file: name})}>${name}</a></p>`}
	</form>`;
}
