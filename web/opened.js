// Modules cannot be loaded if the page is opened from disk; this plain script explains what to do instead.
if (location.protocol === "file:")
	document.addEventListener("DOMContentLoaded", () => {
		const text = [
			"Browsers do not run this page from a file. Start “sanban board”, or serve this folder over HTTP (for example with “python3 -m http.server”) and open its address.",
			"このページはファイルとして開くと動きません。「sanban board」を起動するか、このフォルダーを HTTP で公開して(例:「python3 -m http.server」)そのアドレスを開いてください。",
			"이 페이지는 파일로 열면 동작하지 않습니다. ‘sanban board’를 실행하거나 이 폴더를 HTTP로 열어(예: ‘python3 -m http.server’) 그 주소로 접속하세요.",
		];
		const box = document.createElement("main");
		box.className = "from-file";
		for (const sentence of text) box.appendChild(document.createElement("p")).textContent = sentence;
		document.body.replaceChildren(box);
	});
