// What to practise after a game: the themes of the mistakes, each with a sentence as a teacher would say it.

import { button, element } from "./dom.js";
import { say } from "./settings.js";
import { send } from "./state.js";

/** The facts, or the causes of gains, that belong to each theme; the first theme that matches counts. */
const THEMES = {
	mates: ["missed", "slower", "misses-seen-mate"],
	king: ["allows-mate", "allows-seen-mate", "exposes-king", "allows-threat", "loses"],
	chances: ["misses-gain"],
	forks: ["fork", "allows-fork", "also-attacks"],
	lines: [
		...["pin", "guard-pinned", "discovered-attack", "line-opened"],
		...["allows-pin", "allows-skewer", "allows-discovered-attack"],
	],
	guards: ["guard-left", "guard-blocked", "guard-taken", "guard-deflected"],
	checks: ["check", "with-check", "mate-threat"],
	promotion: ["unstoppable", "dangling-pawn", "allows-promotion", "allows-threatens-promotion"],
	safety: ["placed", "unprotected", "threatened-before", "trapped", "attacked", "hangs", "falls", "allows-attack"],
	value: ["spoils"],
};
/** Where each theme is practised, if not in the lessons. */
const SOLVED = ["mates", "king", "chances", "value"];
/** The theme of a mistake for which there is no single reason. */
const REST = "plans";
/** Number of themes that are named. */
const MOST = 2;

const SENTENCES = {
	en: {
		mates: "Mates: near the other king, look at every check before you move.",
		king: "Your own king: before you move, ask how the other side could mate.",
		chances: "Chances: after every move of the other side, look for what can be taken.",
		forks: "Forks: watch for moves that attack two of your pieces at once.",
		lines: "Long lines: watch which of your pieces stand in a row with your king.",
		guards: "Protection: before a piece moves, see what it has been protecting.",
		checks: "Forcing moves: read checks and threats of the other side first.",
		promotion: "Promotion: count how many moves the other side needs to promote.",
		safety: "Safety: before you move, see which of your pieces can be taken.",
		value: "Exact play: look again at the positions in which the result changed.",
		plans: "Choosing: in quiet positions, compare two or three moves before you play one.",
	},
	ja: {
		mates: "詰み:相手玉の近くでは、まず王手をすべて読んでみましょう。",
		king: "自玉の安全:指す前に、自分の玉に詰みがないか確かめましょう。",
		chances: "チャンス:相手が指したら、取れる駒がないか探しましょう。",
		forks: "両取り:二つの駒を同時に狙われる手に気をつけましょう。",
		lines: "遠くからの利き:玉と同じ筋に並んだ駒に気をつけましょう。",
		guards: "駒のひも:駒を動かす前に、その駒が何を守っているか見ましょう。",
		checks: "王手と狙い:相手の王手や厳しい狙いから先に読みましょう。",
		promotion: "成り:相手があと何手で成れるか数えましょう。",
		safety: "駒の安全:指す前に、取られそうな駒がないか見ましょう。",
		value: "正確さ:勝ち負けが入れ替わった局面を、もう一度考えましょう。",
		plans: "手の選び方:静かな局面では、二、三の候補を比べてから指しましょう。",
	},
	child: {
		mates: "あいての ライオンを つかまえる てが ないか、さきに さがそう。",
		king: "うごかす まえに、じぶんの ライオンが つかまらないか みよう。",
		chances: "ただで とれる どうぶつが いないか さがそう。",
		forks: "いっぺんに ふたつ ねらわれないように しよう。",
		lines: "ライオンの まわりを よく みよう。",
		guards: "うごかす まえに、だれを まもっているか みよう。",
		checks: "あいての おうてを さきに かんがえよう。",
		promotion: "ひよこが おくまで こないか、きを つけよう。",
		safety: "うごかす まえに、とられそうな どうぶつが いないか みよう。",
		value: "かちを のがした ところを、もういちど かんがえよう。",
		plans: "ふたつの てを くらべてから えらぼう。",
	},
	ko: {
		mates: "외통: 상대 왕 근처에서는 먼저 모든 장군을 읽어 보세요.",
		king: "내 왕의 안전: 두기 전에 외통을 당하지 않는지 살펴보세요.",
		chances: "기회: 상대가 두고 나면 잡을 수 있는 기물을 찾아보세요.",
		forks: "양수걸이: 두 기물을 한꺼번에 노리는 수를 조심하세요.",
		lines: "먼 공격: 왕과 한 줄에 놓인 기물을 조심하세요.",
		guards: "지킴: 기물을 움직이기 전에 무엇을 지키고 있었는지 보세요.",
		checks: "강제수: 상대의 장군과 위협부터 읽어 보세요.",
		promotion: "승격: 상대가 몇 수 만에 승격할 수 있는지 세어 보세요.",
		safety: "기물의 안전: 두기 전에 잡힐 기물이 없는지 살펴보세요.",
		value: "정확함: 승패가 바뀐 국면을 다시 생각해 보세요.",
		plans: "수 고르기: 조용한 국면에서는 두세 수를 비교한 뒤에 두세요.",
	},
};

const themeOf = ({ fact, cause }) =>
	Object.keys(THEMES).find((theme) => THEMES[theme].some((one) => one === fact || one === cause)) ?? REST;

/** The themes of the mistakes with these remarks, the most frequent first. */
export function themes(remarks) {
	const counts = new Map();
	for (const remark of remarks) counts.set(themeOf(remark), (counts.get(themeOf(remark)) ?? 0) + 1);
	return [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST);
}

/** The advice after mistakes with these remarks, as items of a list. */
export function advice(remarks, language, toChild) {
	return themes(remarks).map(([theme, count]) => {
		const task = SOLVED.includes(theme) ? "solve" : "learn";
		return element(
			"li",
			{ data: { theme } },
			`${SENTENCES[toChild && language === "ja" ? "child" : language][theme]}${count > 1 ? ` (×${count})` : ""} `,
			button(say(`tab-${task}`), () => send("enter", task), { data: { act: `practise-${theme}` } }),
		);
	});
}
