// Links with a whole game or a position in their fragment, and links to lishogi.

/** The fragment for a game. */
export async function encode({ v, name, start, flipped, headers, tree, at }) {
	const game = { v, name, start, flipped, headers, tree, at };
	const stream = new Blob([JSON.stringify(game)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
	const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return `#g=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The game of a link, or `{name, sfen}`; `null` if it contains neither. */
export async function decode(address) {
	const [, kind, value] = address.match(/#([gp])=(.+)$/) ?? [];
	if (kind === "p") {
		const [, name, sfen] = decodeURIComponent(value).match(/^(\w+)\/(.+)$/) ?? [];
		return sfen ? { name, sfen: sfen.replaceAll("_", " ") } : null;
	}
	if (kind !== "g") return null;
	const bytes = Uint8Array.from(atob(value.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	return JSON.parse(await new Response(stream).text());
}

/** The content of a link to lishogi: the SFEN of a position, or only the fact that it names a game. */
export function fromLishogi(address) {
	let url;
	try {
		url = new URL(address);
	} catch {
		return null;
	}
	if (!/(^|\.)lishogi\.org$/.test(url.hostname)) return null;
	const path = decodeURIComponent(
		url.pathname + (url.searchParams.get("sfen") ? `/${url.searchParams.get("sfen")}` : ""),
	);
	const sfen = path.match(
		/(?:^|\/)((?:[+\dA-Za-z]+\/){3,}[+\dA-Za-z]+[_ ]+[bw](?:[_ ]+[-\dA-Za-z]+)?(?:[_ ]+\d+)?)/,
	)?.[1];
	if (!sfen) return { sfen: null };
	const [board, side, hands = "-", count = "1"] = sfen.split(/[_ ]+/);
	// A variant's name in the path before the board looks like a rank.
	const ranks = board.split("/").filter((rank) => !/^(analysis|editor|standard|dobutsu)$/.test(rank));
	return { sfen: `${ranks.join("/")} ${side} ${hands} ${count}` };
}
