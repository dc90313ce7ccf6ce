// Elements of the page.

/** The element of an id. */
export const $ = (id) => document.getElementById(id);

/** Makes an element: `element("button", { type: "button", onclick }, child, "text")`. */
export function element(name, properties = {}, ...children) {
	const out = document.createElement(name);
	for (const [key, value] of Object.entries(properties)) {
		if (value === undefined || value === null) continue;
		if (key.startsWith("on")) out.addEventListener(key.slice(2), value);
		else if (key === "data") Object.assign(out.dataset, value);
		else if (key === "html") out.innerHTML = value;
		else if (key in out && key !== "list") out[key] = value;
		else out.setAttribute(key, value);
	}
	out.append(...children.filter((child) => child !== null && child !== undefined));
	return out;
}

/** A button with a text. */
export const button = (text, onclick, properties = {}) =>
	element("button", { type: "button", onclick, ...properties }, text);

/** Text that may stand inside markup. */
export const markup = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Fills a list to choose from with `[value, text]`. */
export function options(select, list, chosen) {
	select.replaceChildren(
		...list.map(([value, text]) =>
			element("option", {
				value,
				textContent: text,
				selected: String(value) === String(chosen),
			}),
		),
	);
}
