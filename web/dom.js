// Helpers that create and update elements of the page.

/** The element with this id. */
export const $ = (id) => document.getElementById(id);

/** Creates an element: `element("button", { type: "button", onclick }, child, "text")`. */
export function element(name, properties = {}, ...children) {
	const out = document.createElement(name);
	for (const [key, value] of Object.entries(properties)) {
		if (value === undefined || value === null) continue;
		if (key === "data") Object.assign(out.dataset, value);
		else if (key === "html") out.innerHTML = value;
		else if (key in out && key !== "list") out[key] = value;
		else out.setAttribute(key, value);
	}
	out.append(...children.filter((child) => child !== null && child !== undefined));
	return out;
}

/** Data attributes that identify an element. Elements are only updated to match one with the same attributes. */
const NAMES = ["act", "node", "hand", "game", "lesson", "problem", "move"];
const HANDLERS = ["onclick", "oncontextmenu"];

const alike = (old, fresh) =>
	old.nodeName === fresh.nodeName && NAMES.every((name) => old.dataset?.[name] === fresh.dataset?.[name]);

/** Updates an element or a text node to match a fresh one. */
function renew(old, fresh) {
	if (!(old instanceof Element)) {
		if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
		return;
	}
	for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
	for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
	for (const name of HANDLERS) if (old[name] !== fresh[name]) old[name] = fresh[name];
	fill(old, ...fresh.childNodes);
}

/**
 * Replaces the children of an element, but keeps and updates those that match, so that a redraw between press and
 * release does not lose the click or the focus.
 */
export function fill(parent, ...children) {
	let at = parent.firstChild;
	for (const child of children.filter((child) => child !== null && child !== undefined)) {
		const fresh = child instanceof Node ? child : document.createTextNode(child);
		if (at && alike(at, fresh)) {
			renew(at, fresh);
			at = at.nextSibling;
		} else if (at) {
			const following = at.nextSibling;
			at.replaceWith(fresh);
			at = following;
		} else parent.append(fresh);
	}
	while (at) {
		const following = at.nextSibling;
		at.remove();
		at = following;
	}
}

/** Creates a button with a label. */
export const button = (text, onclick, properties = {}) =>
	element("button", { type: "button", onclick, ...properties }, text);

/** Escapes text for use in markup. */
export const markup = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Fills a select element with `[value, text]` pairs. */
export function options(select, list, chosen) {
	fill(select, ...list.map(([value, text]) => element("option", { value, textContent: text })));
	const known = list.some(([value]) => String(value) === String(chosen));
	select.value = known ? chosen : (list[0]?.[0] ?? "");
}
