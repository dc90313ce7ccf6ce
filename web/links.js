// Links with a complete game or a position in their fragment, and links to lishogi.

/** Returns the fragment for a game. */
export async function encode({ v, name, start, flipped, headers, tree, at }) {
	// The remarks of an analysis would make the link too long.
	const game = { v, name, start, flipped, headers, tree: tree.map(({ r, ...node }) => node), at };
	const stream = new Blob([JSON.stringify(game)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
	const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	return `#g=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** Returns the game of a link, or `{name, sfen}` for a position; `null` if the link contains neither. */
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

/**
 * Parses a link to lishogi: returns `{sfen}`, where `sfen` is `null` if the link has no position; `null` for other
 * links.
 */
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
	// The name of a variant before the board in the path looks like a rank.
	const ranks = board.split("/").filter((rank) => !/^(analysis|editor|standard|dobutsu)$/.test(rank));
	return { sfen: `${ranks.join("/")} ${side} ${hands} ${count}` };
}
