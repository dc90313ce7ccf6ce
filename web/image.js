// Draws a position as a self-contained picture: an SVG, or a PNG made from it.

import { lines } from "./board.js";
import { draw } from "./pieces.js";
import { split } from "./sfen.js";

/** The rules of the style sheet that pieces and boards need in a self-contained picture. */
const STYLE = `
text{font-family:"Noto Serif CJK JP","Noto Serif JP","Hiragino Mincho ProN","Yu Mincho",serif;font-weight:700;text-anchor:middle;fill:#221a0e}
.latin{font-family:Georgia,"Times New Roman","DejaVu Serif",serif}
.plain{font-family:system-ui,sans-serif;font-weight:400;font-size:26px;fill:#5b3d14}
.wood{fill:#f7dca6;stroke:#7d5a24;stroke-width:1.8}.edge{fill:#c9974a;opacity:.55}
.ivory{fill:#fbf3e0;stroke:#7d6a48;stroke-width:2}.ivory.w{fill:#f0dcc0}
.tile{fill:#fdf3dc;stroke:#b4843c;stroke-width:3}.tile.b{fill:#e9f6dd;stroke:#4f8a3c}.tile.w{fill:#ddeefb;stroke:#3c74a8}
.dot{fill:#b3261e;color:#b3261e}.ink-b{fill:#0b6b4f}.ink-w{fill:#b3261e}.red{fill:#c2231a}
.lines path{fill:none;stroke:#5b3d14;stroke-width:2.5}.lines circle{fill:#5b3d14}
.sky{fill:#bfe0f5}.wood-side{fill:#cfe8b8}
.shaft{fill:none;stroke-width:14;stroke-linecap:round}.arrow{opacity:.75}
.own-g .head,.own-g .shaft{fill:#15781b;stroke:#15781b}`;

/** Width reserved for a side's name beside its hand. */
const NAME = 110;

/** Returns the SVG of a position; if `turned`, white is at the bottom. */
export function svg(view, game, look, turned, names) {
	const { files, ranks } = game;
	const edge = 40;
	const hand = game.hand.length ? 110 : 0;
	const [width, height] = [files * 100 + 2 * edge, ranks * 100 + 2 * edge + 2 * hand];
	const place = (square) => {
		const [x, y] = [files - Number(square[0]), square.charCodeAt(1) - 97];
		const [column, row] = turned ? [files - 1 - x, ranks - 1 - y] : [x, y];
		return [edge + column * 100, edge + hand + row * 100];
	};
	const piece = (name, x, y, size) => {
		const upside = (split(name).whose === "w") !== turned;
		const inner = draw(game, name, look, upside).replace(
			"<svg ",
			`<svg x="${x}" y="${y}" width="${size}" height="${size}" `,
		);
		return `<g color="#222">${inner}</g>`;
	};
	const out = Object.entries(view.board).map(([square, name]) => piece(name, ...place(square).map((c) => c + 4), 92));
	for (const whose of hand ? ["b", "w"] : []) {
		const y = (whose === "w") !== turned ? 12 : height - hand + 2;
		const held = game.hand.filter((letter) => view.hands[whose][letter] > 0);
		out.push(`<text class="plain" style="text-anchor:start" x="${edge}" y="${y + 58}">${names[whose]}</text>`);
		const step = Math.min(96, (files * 100 - NAME) / held.length);
		held.forEach((letter, n) => {
			const x = width - edge - (held.length - n) * step;
			out.push(piece(whose === "b" ? letter : letter.toLowerCase(), x, y, step - 8));
			const count = view.hands[whose][letter];
			if (count > 1) out.push(`<text class="plain" x="${x + step - 10}" y="${y + step - 4}">${count}</text>`);
		});
	}
	const grid = lines(game).replace(
		"<svg ",
		`<svg x="${edge}" y="${edge + hand}" width="${files * 100}" height="${ranks * 100}" overflow="visible" `,
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><style>${STYLE}</style><rect width="${width}" height="${height}" fill="#f6f1e7"/><rect x="${edge}" y="${edge + hand}" width="${files * 100}" height="${ranks * 100}" fill="#e9bf78"/>${grid}${out.join("")}</svg>`;
}

/** Converts an SVG to a PNG. */
export async function png(text) {
	const image = new Image();
	image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
	await image.decode();
	const canvas = document.createElement("canvas");
	canvas.width = image.width;
	canvas.height = image.height;
	canvas.getContext("2d").drawImage(image, 0, 0);
	return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
