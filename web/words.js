// The words of the page in English, Japanese and Korean.

const EN = {
  game: "Game", look: "Pieces", language: "Language", theme: "Colours", board: "Board",
  "theme-auto": "as the system", "theme-light": "light", "theme-dark": "dark",
  "game-shogi": "Shogi", "game-janggi": "Janggi (written rules)", "game-janggicasual": "Janggi (free pass)", "game-janggitraditional": "Janggi (traditional)", "game-janggimodern": "Janggi (modern, by points)",
  "game-dobutsu": "Dobutsu shogi (catch the lion)", "game-dobutsumate": "Dobutsu shogi (with mate)",
  "look-kanji": "Kanji", "look-letters": "Letters", "look-pictures": "Pictures with moves", "look-hanja": "Hanja", "look-hangul": "Hangul",
  "first-move": "To the start", "previous-move": "One move back", "next-move": "One move forward", "last-move": "To the last move",
  takeback: "Take back", hint: "Hint", pass: "Pass", declare: "Declare a win", resign: "Resign", flip: "Turn the board",
  "tab-play": "Play", "tab-analyse": "Analyse", "tab-position": "Position", "tab-rules": "Rules",
  "you-play": "You play", "both-sides": "both sides", watch: "nobody: watch", level: "Level", start: "Start", clock: "Clock", thinking: "Engine's time",
  "setup-first": "Cho's set-up", "setup-second": "Han's set-up", "new-game": "New game", moves: "Moves",
  analyse: "Analyse this position", lines: "Lines", "best-lines": "Best lines", review: "Analyse the whole game", "per-move": "per move",
  mate: "Is there a mate?", "mate-play": "Play it out", load: "Load a game or a position", paste: "SFEN, USI, KIF, KI2, CSA or JKF", "load-text": "Load", "load-file": "or a file:",
  copy: "Copy", editor: "Set up a position", edit: "Set up", "edit-clear": "Empty board", "edit-side": "To move: {0}", "edit-cancel": "Cancel", "not-playable": "This position cannot be played: {0}", "edit-done": "Done",
  "promote-question": "Promote?", promote: "Promote", "dont-promote": "Stay as it is",
  "level-0": "Beginner", "level-3": "Novice", "level-6": "Casual", "level-9": "Club player", "level-12": "Strong club player", "level-15": "Expert", "level-18": "Master", "level-20": "Full strength",
  "clock-none": "none", "clock-byoyomi": "{0} min + {1} s byoyomi", "clock-increment": "{0} min + {1} s a move", "clock-byoyomi-only": "{1} s a move",
  even: "Even game", "handicap-lance": "Left lance", "handicap-bishop": "Bishop", "handicap-rook": "Rook", "handicap-rook-lance": "Rook and lance", "handicap-2": "Two pieces", "handicap-4": "Four pieces", "handicap-6": "Six pieces", "handicap-8": "Eight pieces", custom: "Own position",
  "handicap-b": "Black", "handicap-w": "White (gives odds)", "shogi-b": "Black (first)", "shogi-w": "White", "janggi-b": "Cho (first)", "janggi-w": "Han", "dobutsu-b": "Ground (first)", "dobutsu-w": "Sky",
  "to-move": "{0} to move.", "your-turn": "Your move.", "engine-thinks": "The engine is thinking …", "in-check": "Check!", "repeated": "This position has occurred {0} times; the {1}th ends the game.",
  "won-by": "{0} wins: {1}.", "drawn-by": "A draw: {0}.",
  "reason-mate": "checkmate", "reason-stalemate": "no legal move is left", "reason-repetition": "the position repeated", "reason-perpetual": "perpetual check loses", "reason-try": "the king reached its goal", "reason-captured": "the king was captured", "reason-passes": "both sides passed", "reason-material": "nobody can give mate any more", "reason-facing": "the generals stayed face to face", "reason-count": "more points on the board", "reason-resign": "the other side resigned", "reason-time": "the time is up", "reason-declare": "declared with enough points", "reason-moves": "the game is too long",
  "dobutsu-reason-try": "the lion reached the far row safely", "dobutsu-reason-captured": "the lion was captured",
  "why-unreadable": "That is not a move.", "why-nothing-there": "There is no piece there.", "why-not-yours": "That piece is the opponent's.", "why-not-in-hand": "You have no such piece in hand.", "why-occupied": "A piece is dropped on an empty square only.", "why-own-piece": "Your own piece is there.", "why-geometry": "This piece does not move like that.", "why-blocked": "Something is in the way.", "why-in-check": "You are in check, and this does not help.", "why-into-check": "The king would be taken there.", "why-exposes": "Your king would be open to attack.", "why-two-pawns": "Two pawns on one file (nifu): not allowed.", "why-pawn-mate": "A dropped pawn must not give mate (uchifuzume).", "why-no-way-on": "The piece could never move again from there.", "why-no-promotion": "The piece cannot promote there.", "why-palace": "General and guards stay in the palace.", "why-screen": "A cannon needs exactly one piece to jump over.", "why-cannon-jump": "A cannon does not jump over a cannon.", "why-cannon-takes": "A cannon does not take a cannon.", "why-pass-in-check": "You cannot pass while in check.", "why-pass-not-needed": "You may pass only when the general cannot move.", "why-rash-try": "The lion would be captured there: it may not enter.", "why-last-row": "A chick is not dropped on the last row.", "why-over": "The game is over.", "why-legal": "That move is legal.",
  "not-your-turn": "It is the engine's move.", "pick-first": "Choose one of your pieces first.", "game-over": "The game is over. Start a new one or take a move back.",
  "mate-in": "Mate in {0}: {1}", "no-mate": "There is no mate here.", "mate-unknown": "No mate found in this time.", "looking": "Looking …",
  "no-hint": "No hint: {0}", "hint-is": "The engine suggests {0}.", busy: "All engines are busy in other tabs. Please try again soon.", internal: "The engine made a mistake and starts anew.", lost: "The connection to the engine is lost. Start `sanban board` again and reload the page.", loaded: "Loaded: {0} moves.", "not-loaded": "This cannot be read: {0}", copied: "Copied.", "not-copied": "The browser does not allow copying; here it is:",
  "report-title": "The game in figures", reviewing: "Looking … {0} of {1} positions", best: "best move", good: "good move", agreement: "played the best move", "average-loss": "average loss", "save-report": "Save the report as a page", blunder: "blunder", mistake: "mistake", inaccuracy: "inaccuracy", better: "better: {0}", "at-move": "Move {0}", evaluation: "Evaluation", "evaluation-is": "Evaluation {0} for {1}",
  "truth-title": "The truth (solved game)", "truth-win": "wins in {0}", "truth-loss": "loses in {0}", "truth-draw": "draws", "hand-of": "{0} in hand: {1}", "empty": "empty", "hand-none": "no pieces in hand", "you": "you", engine: "engine", person: "person", "edit-help": "Choose a piece below, then click squares. Clicking a square with the same piece removes it.", eraser: "Remove", "promoted": "promoted", "setup-NBBN": "horses outside", "setup-BNNB": "horses inside", "setup-NBNB": "horses on the left", "setup-BNBN": "horses on the right", dubious: "dubious move",
};

const JA = {
  game: "ゲーム", look: "駒", language: "言語", theme: "配色", board: "盤",
  "theme-auto": "システムに合わせる", "theme-light": "明るい", "theme-dark": "暗い",
  "game-shogi": "将棋", "game-janggi": "チャンギ(成文ルール)", "game-janggicasual": "チャンギ(パス自由)", "game-janggitraditional": "チャンギ(伝統)", "game-janggimodern": "チャンギ(点数制)", "game-dobutsu": "どうぶつしょうぎ", "game-dobutsumate": "どうぶつしょうぎ(詰みあり)",
  "look-kanji": "漢字", "look-letters": "英字", "look-pictures": "絵と動き", "look-hanja": "漢字", "look-hangul": "ハングル",
  "first-move": "最初へ", "previous-move": "一手戻る", "next-move": "一手進む", "last-move": "最後へ",
  takeback: "待った", hint: "ヒント", pass: "パス", declare: "入玉宣言", resign: "投了", flip: "盤を反転",
  "tab-play": "対局", "tab-analyse": "検討", "tab-position": "局面", "tab-rules": "ルール",
  "you-play": "あなた", "both-sides": "両方", watch: "観戦", level: "強さ", start: "手合", clock: "時計", thinking: "思考時間",
  "setup-first": "楚の陣形", "setup-second": "漢の陣形", "new-game": "新しい対局", moves: "棋譜",
  analyse: "この局面を検討", lines: "候補数", "best-lines": "候補手", review: "棋譜解析", "per-move": "一手あたり",
  mate: "詰みはある?", "mate-play": "並べる", load: "棋譜・局面を読み込む", paste: "SFEN・USI・KIF・KI2・CSA・JKF", "load-text": "読み込む", "load-file": "ファイル:",
  copy: "コピー", editor: "局面編集", edit: "編集", "edit-clear": "盤を空に", "edit-side": "手番: {0}", "edit-cancel": "やめる", "not-playable": "この局面では指せません: {0}", "edit-done": "完了",
  "promote-question": "成りますか?", promote: "成る", "dont-promote": "成らない",
  "level-0": "入門", "level-3": "初心者", "level-6": "初級", "level-9": "中級", "level-12": "上級", "level-15": "有段", "level-18": "高段", "level-20": "最強",
  "clock-none": "なし", "clock-byoyomi": "{0}分+秒読み{1}秒", "clock-increment": "{0}分+一手{1}秒加算", "clock-byoyomi-only": "一手{1}秒",
  even: "平手", "handicap-lance": "香落ち", "handicap-bishop": "角落ち", "handicap-rook": "飛車落ち", "handicap-rook-lance": "飛香落ち", "handicap-2": "二枚落ち", "handicap-4": "四枚落ち", "handicap-6": "六枚落ち", "handicap-8": "八枚落ち", custom: "指定局面",
  "handicap-b": "下手", "handicap-w": "上手", "shogi-b": "先手", "shogi-w": "後手", "janggi-b": "楚(先手)", "janggi-w": "漢(後手)", "dobutsu-b": "もり(先手)", "dobutsu-w": "そら(後手)",
  "to-move": "{0}の番です。", "your-turn": "あなたの番です。", "engine-thinks": "エンジンが考えています…", "in-check": "王手!", "repeated": "同一局面{0}回目({1}回で終局)。",
  "won-by": "{0}の勝ち({1})。", "drawn-by": "引き分け({0})。",
  "reason-mate": "詰み", "reason-stalemate": "指す手がない", "reason-repetition": "千日手", "reason-perpetual": "連続王手の千日手", "reason-try": "トライ", "reason-captured": "玉を取った", "reason-passes": "両者パス", "reason-material": "詰ます駒がない", "reason-facing": "対面将", "reason-count": "点数", "reason-resign": "投了", "reason-time": "時間切れ", "reason-declare": "入玉宣言", "reason-moves": "手数制限",
  "dobutsu-reason-try": "トライ", "dobutsu-reason-captured": "ライオンを取った",
  "why-unreadable": "指し手ではありません。", "why-nothing-there": "そこに駒はありません。", "why-not-yours": "相手の駒です。", "why-not-in-hand": "その持ち駒はありません。", "why-occupied": "駒は空いているマスにだけ打てます。", "why-own-piece": "自分の駒があります。", "why-geometry": "この駒はそのようには動けません。", "why-blocked": "途中に駒があります。", "why-in-check": "王手がかかっています。この手では防げません。", "why-into-check": "そこは玉が取られてしまいます。", "why-exposes": "玉が取られてしまいます。", "why-two-pawns": "二歩です。", "why-pawn-mate": "打ち歩詰めです。", "why-no-way-on": "行き所のない駒になります。", "why-no-promotion": "ここでは成れません。", "why-palace": "将と士は宮から出られません。", "why-screen": "包は駒をちょうど一つ飛び越えます。", "why-cannon-jump": "包は包を飛び越えられません。", "why-cannon-takes": "包は包を取れません。", "why-pass-in-check": "王手のときはパスできません。", "why-pass-not-needed": "将が動けるときはパスできません。", "why-rash-try": "そこではライオンが取られるので入れません。", "why-last-row": "ひよこは一番奥に打てません。", "why-over": "対局は終わっています。", "why-legal": "指せる手です。",
  "not-your-turn": "エンジンの番です。", "pick-first": "まず自分の駒を選んでください。", "game-over": "対局は終わりました。新しい対局を始めるか、待ったをしてください。",
  "mate-in": "{0}手詰: {1}", "no-mate": "詰みはありません。", "mate-unknown": "時間内に詰みは見つかりませんでした。", "looking": "探しています…",
  "no-hint": "ヒントはありません: {0}", "hint-is": "おすすめは{0}です。", busy: "エンジンはほかのタブで使用中です。少し待ってください。", internal: "エンジンに誤りがあり、やり直します。", lost: "エンジンとの接続が切れました。sanban board を起動して再読み込みしてください。", loaded: "読み込みました({0}手)。", "not-loaded": "読み込めません: {0}", copied: "コピーしました。", "not-copied": "コピーできないので、ここに示します:",
  "report-title": "棋譜のまとめ", reviewing: "解析中… {1}局面中{0}", best: "最善手", good: "良い手", agreement: "一致率", "average-loss": "平均損失", "save-report": "レポートを保存", blunder: "大悪手", mistake: "悪手", inaccuracy: "緩手", better: "最善: {0}", "at-move": "{0}手目", evaluation: "評価値", "evaluation-is": "評価値{0}({1})",
  "truth-title": "真理(解析済み)", "truth-win": "{0}手で勝ち", "truth-loss": "{0}手で負け", "truth-draw": "引き分け", "hand-of": "{0}の持ち駒: {1}", "empty": "空き", "hand-none": "持ち駒なし", "you": "あなた", engine: "エンジン", person: "人", "edit-help": "下の駒を選び、マスをクリックします。同じ駒のマスをクリックすると消えます。", eraser: "消す", "promoted": "成", "setup-NBBN": "馬象象馬", "setup-BNNB": "象馬馬象", "setup-NBNB": "馬象馬象", "setup-BNBN": "象馬象馬", dubious: "疑問手",
};

const KO = {
  game: "게임", look: "기물", language: "언어", theme: "색", board: "판",
  "theme-auto": "시스템 설정", "theme-light": "밝게", "theme-dark": "어둡게",
  "game-shogi": "일본 장기(쇼기)", "game-janggi": "장기(성문 규칙)", "game-janggicasual": "장기(자유 한수쉼)", "game-janggitraditional": "장기(빅장)", "game-janggimodern": "장기(점수제)", "game-dobutsu": "동물 장기", "game-dobutsumate": "동물 장기(외통 있음)",
  "look-kanji": "한자", "look-letters": "영문", "look-pictures": "그림과 행마", "look-hanja": "한자", "look-hangul": "한글",
  "first-move": "처음으로", "previous-move": "한 수 뒤로", "next-move": "한 수 앞으로", "last-move": "마지막으로",
  takeback: "무르기", hint: "훈수", pass: "한수쉼", declare: "입옥 선언", resign: "기권", flip: "판 돌리기",
  "tab-play": "대국", "tab-analyse": "검토", "tab-position": "국면", "tab-rules": "규칙",
  "you-play": "내 편", "both-sides": "양쪽", watch: "관전", level: "수준", start: "시작", clock: "시계", thinking: "엔진 시간",
  "setup-first": "초 상차림", "setup-second": "한 상차림", "new-game": "새 대국", moves: "기보",
  analyse: "이 국면 검토", lines: "후보 수", "best-lines": "후보 수순", review: "기보 분석", "per-move": "수당",
  mate: "외통이 있나요?", "mate-play": "두어 보기", load: "기보나 국면 불러오기", paste: "SFEN, USI, KIF, KI2, CSA, JKF", "load-text": "불러오기", "load-file": "파일:",
  copy: "복사", editor: "국면 편집", edit: "편집", "edit-clear": "판 비우기", "edit-side": "차례: {0}", "edit-cancel": "취소", "not-playable": "둘 수 없는 국면입니다: {0}", "edit-done": "완료",
  "promote-question": "승격할까요?", promote: "승격", "dont-promote": "그대로",
  "level-0": "입문", "level-3": "초보", "level-6": "초급", "level-9": "중급", "level-12": "상급", "level-15": "유단", "level-18": "고단", "level-20": "최강",
  "clock-none": "없음", "clock-byoyomi": "{0}분 + 초읽기 {1}초", "clock-increment": "{0}분 + 수당 {1}초", "clock-byoyomi-only": "수당 {1}초",
  even: "맞장기", "handicap-lance": "향 떼기", "handicap-bishop": "각 떼기", "handicap-rook": "비 떼기", "handicap-rook-lance": "비향 떼기", "handicap-2": "두 개 떼기", "handicap-4": "네 개 떼기", "handicap-6": "여섯 개 떼기", "handicap-8": "여덟 개 떼기", custom: "지정 국면",
  "handicap-b": "하수", "handicap-w": "상수", "shogi-b": "선수", "shogi-w": "후수", "janggi-b": "초(선)", "janggi-w": "한", "dobutsu-b": "숲(선)", "dobutsu-w": "하늘",
  "to-move": "{0} 차례입니다.", "your-turn": "당신 차례입니다.", "engine-thinks": "엔진이 생각 중입니다…", "in-check": "장군!", "repeated": "같은 국면 {0}번째({1}번이면 끝).",
  "won-by": "{0} 승({1}).", "drawn-by": "무승부({0}).",
  "reason-mate": "외통", "reason-stalemate": "둘 수 없음", "reason-repetition": "반복", "reason-perpetual": "연속 장군 반복", "reason-try": "왕이 목표에 도달", "reason-captured": "왕을 잡음", "reason-passes": "양쪽 한수쉼", "reason-material": "외통 낼 기물 없음", "reason-facing": "빅장", "reason-count": "점수", "reason-resign": "기권", "reason-time": "시간패", "reason-declare": "입옥 선언", "reason-moves": "수 제한",
  "dobutsu-reason-try": "사자가 끝줄에 도달", "dobutsu-reason-captured": "사자를 잡음",
  "why-unreadable": "둘 수 있는 수가 아닙니다.", "why-nothing-there": "그곳에 기물이 없습니다.", "why-not-yours": "상대의 기물입니다.", "why-not-in-hand": "그런 기물이 손에 없습니다.", "why-occupied": "빈칸에만 놓을 수 있습니다.", "why-own-piece": "자기 기물이 있습니다.", "why-geometry": "이 기물은 그렇게 움직이지 않습니다.", "why-blocked": "길이 막혀 있습니다.", "why-in-check": "장군을 막지 못하는 수입니다.", "why-into-check": "그곳은 왕이 잡힙니다.", "why-exposes": "왕이 잡히게 됩니다.", "why-two-pawns": "한 줄에 보가 둘일 수 없습니다(이보).", "why-pawn-mate": "보를 놓아 외통을 낼 수 없습니다.", "why-no-way-on": "다시 움직일 수 없는 곳입니다.", "why-no-promotion": "여기서는 승격할 수 없습니다.", "why-palace": "궁과 사는 궁성을 벗어날 수 없습니다.", "why-screen": "포는 기물 하나를 넘어야 합니다.", "why-cannon-jump": "포는 포를 넘을 수 없습니다.", "why-cannon-takes": "포는 포를 잡을 수 없습니다.", "why-pass-in-check": "장군일 때는 쉴 수 없습니다.", "why-pass-not-needed": "궁이 움직일 수 있으면 쉴 수 없습니다.", "why-rash-try": "그곳에서는 사자가 잡히므로 들어갈 수 없습니다.", "why-last-row": "병아리는 끝줄에 놓을 수 없습니다.", "why-over": "대국이 끝났습니다.", "why-legal": "둘 수 있는 수입니다.",
  "not-your-turn": "엔진 차례입니다.", "pick-first": "먼저 자기 기물을 고르세요.", "game-over": "대국이 끝났습니다. 새로 시작하거나 무르세요.",
  "mate-in": "{0}수 외통: {1}", "no-mate": "외통이 없습니다.", "mate-unknown": "시간 안에 찾지 못했습니다.", "looking": "찾는 중…",
  "no-hint": "훈수 없음: {0}", "hint-is": "추천 수: {0}", busy: "엔진이 모두 사용 중입니다. 잠시 뒤 다시 해 보세요.", internal: "엔진 오류로 다시 시작합니다.", lost: "엔진과 연결이 끊겼습니다. sanban board 를 다시 시작하고 새로 고치세요.", loaded: "불러옴: {0}수.", "not-loaded": "읽을 수 없습니다: {0}", copied: "복사했습니다.", "not-copied": "복사할 수 없어 여기에 보입니다:",
  "report-title": "기보 요약", reviewing: "분석 중… {1}국면 중 {0}", best: "최선수", good: "좋은 수", agreement: "일치율", "average-loss": "평균 손실", "save-report": "보고서 저장", blunder: "대악수", mistake: "악수", inaccuracy: "완착", better: "최선: {0}", "at-move": "{0}수째", evaluation: "평가", "evaluation-is": "평가 {0} ({1})",
  "truth-title": "정답(완전 해석)", "truth-win": "{0}수 만에 승", "truth-loss": "{0}수 만에 패", "truth-draw": "무승부", "hand-of": "{0} 손: {1}", "empty": "빈칸", "hand-none": "손에 기물 없음", "you": "나", engine: "엔진", person: "사람", "edit-help": "아래에서 기물을 고르고 칸을 누르세요. 같은 기물을 누르면 지워집니다.", eraser: "지우기", "promoted": "승격", "setup-NBBN": "마상상마", "setup-BNNB": "상마마상", "setup-NBNB": "마상마상", "setup-BNBN": "상마상마", dubious: "의문수",
};

const NAMES = {
  en: {
    shogi: { K: "king", R: "rook", B: "bishop", G: "gold", S: "silver", N: "knight", L: "lance", P: "pawn", "+R": "dragon", "+B": "horse", "+S": "promoted silver", "+N": "promoted knight", "+L": "promoted lance", "+P": "tokin" },
    janggi: { K: "general", A: "guard", R: "chariot", C: "cannon", N: "horse", B: "elephant", P: "soldier" },
    dobutsu: { L: "lion", E: "elephant", G: "giraffe", C: "chick", "+C": "hen" },
  },
  ja: {
    shogi: { K: "玉", R: "飛", B: "角", G: "金", S: "銀", N: "桂", L: "香", P: "歩", "+R": "龍", "+B": "馬", "+S": "成銀", "+N": "成桂", "+L": "成香", "+P": "と" },
    janggi: { K: "将", A: "士", R: "車", C: "包", N: "馬", B: "象", P: "兵" },
    dobutsu: { L: "ライオン", E: "ぞう", G: "きりん", C: "ひよこ", "+C": "にわとり" },
  },
  ko: {
    shogi: { K: "왕", R: "비차", B: "각행", G: "금", S: "은", N: "계마", L: "향차", P: "보병", "+R": "용왕", "+B": "용마", "+S": "성은", "+N": "성계", "+L": "성향", "+P": "도금" },
    janggi: { K: "궁", A: "사", R: "차", C: "포", N: "마", B: "상", P: "졸" },
    dobutsu: { L: "사자", E: "코끼리", G: "기린", C: "병아리", "+C": "닭" },
  },
};

const RULES = {
  en: {
    shogi: ["Captured pieces change sides: you hold them in hand and may drop them on an empty square instead of moving.", "The last three ranks promote. A promoted rook or bishop gains the king's steps; the others move like a gold.", "Not allowed: two of your unpromoted pawns on one file, mate by a dropped pawn, a piece that could never move again.", "The fourth occurrence of a position is a draw, unless one side gave check all the time: that side loses.", "Checkmate wins. A king that has come across with enough pieces may declare a win."],
    janggi: ["Pieces stand on the crossings. Nothing is dropped and nothing promotes.", "General and guards step along the lines of their palace.", "The chariot goes straight. The cannon goes straight too, but must jump over exactly one piece, never a cannon, and takes no cannon.", "The horse goes one step straight and one slantwise, the elephant one straight and two slantwise; every square on the way must be empty.", "Soldiers go forward or sideways. In a palace chariots, cannons and soldiers may follow the slanted lines.", "Nobody passes in check. Two passes in a row end the game in a draw.", "The third occurrence of a position is a draw, unless one side gave check all the time: that side loses."],
    dobutsu: ["Lion: one step in any direction. Giraffe: straight. Elephant: slantwise. Chick: one step ahead.", "A chick that walks onto the last row becomes a hen.", "Captured animals change sides and may be dropped on an empty square.", "You win by catching the lion, or by bringing your own to the last row where it cannot be taken.", "The third occurrence of a position is a draw."],
    "own-janggi": ["You may pass only when your general cannot move. Generals may face each other."],
    "own-janggicasual": ["You may pass at any time, as the game is played in Korea. Generals may face each other."],
    "own-janggitraditional": ["You may pass at any time.", "Generals that face each other, and are left so by the opponent's move, end the game in a draw (bikjang)."],
    "own-janggimodern": ["You may pass at any time.", "What would be a draw is decided by the pieces left: chariot 13, cannon 7, horse 5, elephant 3, guard 3, soldier 2, and 1.5 for Han."],
    "own-dobutsumate": ["Here the lion may not be left where it can be taken: checkmate wins, and so does leaving the opponent without a move.", "A chick is not dropped on the last row."],
  },
  ja: {
    shogi: ["取った駒は持ち駒になり、指す代わりに空いたマスに打てます。", "敵陣三段で成れます。飛と角は玉の動きが加わり、ほかは金の動きになります。", "二歩、打ち歩詰め、行き所のない駒は反則です。", "同一局面四回で千日手(引き分け)。連続王手なら王手をかけた側の負けです。", "玉を詰ませば勝ちです。入玉して点数が足りれば宣言で勝てます。"],
    janggi: ["駒は線の交点に置きます。打つことも成ることもありません。", "将と士は宮の線に沿って一歩動きます。", "車は縦横にどこまでも。包は縦横に、ちょうど一つの駒(包以外)を飛び越えて動き、包は取れません。", "馬は縦横一歩と斜め一歩、象は縦横一歩と斜め二歩。途中に駒があると動けません。", "兵・卒は前か横に一歩。宮の中では車・包・兵は斜めの線も通れます。", "王手のときはパスできません。続けて二回のパスは引き分けです。", "同一局面三回で引き分け。連続王手なら王手をかけた側の負けです。"],
    dobutsu: ["ライオンは全方向、きりんは縦横、ぞうは斜め、ひよこは前に一歩動きます。", "ひよこは一番奥に進むとにわとりになります。", "取った動物は味方になり、空いたマスに打てます。", "ライオンを捕まえるか、取られない形で一番奥に入れば勝ちです。", "同一局面三回で引き分けです。"],
    "own-janggi": ["将が動けないときだけパスできます。将どうしが向き合ってもかまいません。"],
    "own-janggicasual": ["いつでもパスできます(韓国での指し方)。将どうしが向き合ってもかまいません。"],
    "own-janggitraditional": ["いつでもパスできます。", "将どうしが向き合い、相手がそのままにすると引き分けです(ビッチャン)。"],
    "own-janggimodern": ["いつでもパスできます。", "引き分けになるところは残った駒の点数で決めます: 車13、包7、馬5、象3、士3、兵2、漢に1.5。"],
    "own-dobutsumate": ["ライオンを取られる所に残せません。詰みか、相手に指す手がなければ勝ちです。", "ひよこは一番奥に打てません。"],
  },
  ko: {
    shogi: ["잡은 기물은 내 손에 들어오며, 움직이는 대신 빈칸에 놓을 수 있습니다.", "적진 세 줄에서 승격합니다. 비차와 각행은 왕의 걸음이 더해지고, 나머지는 금처럼 움직입니다.", "한 줄에 보 둘, 보를 놓아 외통, 다시 움직일 수 없는 기물은 금지입니다.", "같은 국면 네 번이면 무승부. 연속 장군이면 장군을 부른 쪽이 집니다.", "외통이면 이깁니다. 왕이 적진에 들어가 점수가 충분하면 선언으로 이깁니다."],
    janggi: ["기물은 선의 교차점에 섭니다. 놓기도 승격도 없습니다.", "궁과 사는 궁성의 선을 따라 한 걸음 움직입니다.", "차는 직선으로 갑니다. 포는 포가 아닌 기물 하나를 넘어 직선으로 가며 포를 잡지 못합니다.", "마는 직선 한 걸음 뒤 대각선 한 걸음, 상은 대각선 두 걸음입니다. 길이 비어 있어야 합니다.", "졸과 병은 앞이나 옆으로 갑니다. 궁성 안에서는 차, 포, 졸이 대각선도 탑니다.", "장군일 때는 쉴 수 없습니다. 연달아 두 번 쉬면 무승부입니다.", "같은 국면 세 번이면 무승부. 연속 장군이면 장군을 부른 쪽이 집니다."],
    dobutsu: ["사자는 모든 방향, 기린은 직선, 코끼리는 대각선, 병아리는 앞으로 한 걸음입니다.", "병아리가 끝줄로 걸어가면 닭이 됩니다.", "잡은 동물은 내 편이 되어 빈칸에 놓을 수 있습니다.", "사자를 잡거나, 잡히지 않게 끝줄에 들어가면 이깁니다.", "같은 국면 세 번이면 무승부입니다."],
    "own-janggi": ["궁이 움직일 수 없을 때만 쉴 수 있습니다. 궁이 마주 보아도 됩니다."],
    "own-janggicasual": ["언제나 쉴 수 있습니다. 궁이 마주 보아도 됩니다."],
    "own-janggitraditional": ["언제나 쉴 수 있습니다.", "궁이 마주 본 채로 상대가 그대로 두면 무승부입니다(빅장)."],
    "own-janggimodern": ["언제나 쉴 수 있습니다.", "비길 판은 남은 기물의 점수로 정합니다: 차 13, 포 7, 마 5, 상 3, 사 3, 졸·병 2, 한은 1.5."],
    "own-dobutsumate": ["사자를 잡히는 곳에 둘 수 없습니다. 외통이거나 상대가 둘 수 없으면 이깁니다.", "병아리는 끝줄에 놓을 수 없습니다."],
  },
};

const ALL = { en: EN, ja: JA, ko: KO };

/** The languages of the page. */
export const LANGUAGES = Object.keys(ALL);

/** The words of a language: `say("won-by", "Black", "checkmate")`. */
export function speaker(language) {
  const words = ALL[language];
  const say = (name, ...values) => (words[name] ?? EN[name] ?? name).replace(/\{(\d)\}/g, (_, n) => values[n] ?? "");
  say.has = (name) => name in words;
  say.piece = (game, letter) => NAMES[language][game.kind][letter];
  say.rules = (name, game) => [...RULES[language][game.kind], ...(RULES[language][`own-${name}`] ?? [])];
  return say;
}
