// Questions to the user, temporary notes, and menus.

import { $, button, element } from "./dom.js";
import { say } from "./settings.js";

/** Makes a click outside a dialog close it. The padding belongs to the dialog. */
export function closeOutside(dialog) {
	dialog.onclick = ({ target, clientX, clientY }) => {
		const { left, right, top, bottom } = dialog.getBoundingClientRect();
		const inside = clientX > left && clientX < right && clientY > top && clientY < bottom;
		if (target === dialog && !inside) dialog.close();
	};
}

/** Asks the user to confirm an action. */
export function confirm(text, word) {
	const dialog = $("confirm");
	$("confirm-text").textContent = text;
	$("confirm-yes").textContent = say(word);
	return new Promise((resolve) => {
		let answer = false;
		$("confirm-yes").onclick = () => {
			answer = true;
			dialog.close();
		};
		$("confirm-no").onclick = () => dialog.close();
		dialog.onclose = () => resolve(answer);
		dialog.showModal();
	});
}

let hiding;

/** Removes the note. */
export function closeToast() {
	clearTimeout(hiding);
	$("toast").replaceChildren();
	$("toast").hidden = true;
}

/** Shows a note for a few seconds, with a button if an action is available. */
export function toast(text, word, run, seconds = 15) {
	const note = $("toast");
	clearTimeout(hiding);
	const act =
		word &&
		button(
			say(word),
			() => {
				closeToast();
				run();
			},
			{ id: "toast-act" },
		);
	const shut = button("×", closeToast, {
		className: "plain",
		"aria-label": say("close"),
	});
	note.replaceChildren(element("span", { textContent: text }), ...(act ? [act] : []), shut);
	// A click that was meant for what is below the note removes it as well.
	note.onclick = ({ target }) => target.closest("button") || closeToast();
	note.hidden = false;
	hiding = setTimeout(closeToast, seconds * 1000);
}

/** Opens a menu of `{word, text, run, disabled}` at a point. */
export function menu(x, y, items) {
	document.querySelector(".menu")?.remove();
	const before = document.activeElement;
	const list = element("div", { className: "menu", role: "menu" });
	const close = () => {
		list.remove();
		document.removeEventListener("pointerdown", outside, true);
		before?.focus?.();
	};
	const outside = (event) => list.contains(event.target) || close();
	for (const { word, text, run, disabled } of items) {
		const act = () => {
			close();
			run();
		};
		list.append(
			button(text ?? say(word), act, {
				role: "menuitem",
				disabled: Boolean(disabled),
				data: { act: word },
			}),
		);
	}
	list.addEventListener("keydown", (event) => {
		const all = [...list.querySelectorAll("button:not(:disabled)")];
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by) all[(all.indexOf(document.activeElement) + by + all.length) % all.length].focus();
		else if (event.key === "Escape" || event.key === "Tab") close();
		else return;
		event.preventDefault();
		event.stopPropagation();
	});
	document.body.append(list);
	const { width, height } = list.getBoundingClientRect();
	list.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
	list.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
	document.addEventListener("pointerdown", outside, true);
	list.querySelector("button:not(:disabled)")?.focus();
}
