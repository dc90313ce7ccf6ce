// Plays a game between two engine processes of ShogiHome, outside Electron, and solves a mate with `goMate`.
// Arguments: checkout of ShogiHome, engine, mate problem (SFEN). Prints JSON: options, moves, ponder hits, mate.
import { pathToFileURL } from "node:url";

const [home, path, problem] = process.argv.slice(2);
const { EngineProcess, GameResult } = await import(pathToFileURL(`${home}/src/background/usi/engine.ts`).href);
const logger = Object.fromEntries(["debug", "info", "warn", "error"].map((name) => [name, () => {}]));
const fail = (text: string) => {
  console.error(text);
  process.exit(1);
};

const engines = [1, 2].map((id) => {
  const engine = new EngineProcess(path, id, logger, { timeout: 60000 });
  engine.on("error", (error: Error) => fail(error.message)).on("timeout", () => fail("no usiok"));
  return engine;
});
const event = (engine: typeof EngineProcess, name: string) =>
  new Promise<string[]>((done) => engine.on(name, (...values: string[]) => done(values)));

for (const engine of engines) {
  const answered = event(engine, "usiok");
  engine.launch();
  await answered;
  engine.setOption("USI_Ponder", "true");
  const ready = event(engine, "ready");
  engine.ready();
  await ready;
}

const time = { btime: 10000, wtime: 10000, byoyomi: 0, binc: 100, winc: 100 };
const moves: string[] = [];
const position = (extra: string[] = []) =>
  moves.length + extra.length ? `position startpos moves ${[...moves, ...extra].join(" ")}` : "position startpos";
const guesses: (string | undefined)[] = [undefined, undefined];
let hits = 0;
let end = "moves";
while (moves.length < 400) {
  const side = moves.length % 2;
  const [engine, clock] = [engines[side], side ? "wtime" : "btime"];
  const answer = event(engine, "bestmove");
  const begin = Date.now();
  if (guesses[side] && guesses[side] === position()) {
    hits += 1;
    engine.ponderHit(time);
  } else {
    engine.go(position(), time);
  }
  const [, move, guess] = await answer;
  time[clock] += 100 - (Date.now() - begin);
  if (time[clock] < -1000) fail(`time exceeded after ${moves.join(" ")}`);
  time[clock] = Math.max(time[clock], 0);
  if (move === "resign" || move === "win") {
    end = move;
    break;
  }
  moves.push(move);
  guesses[side] = guess && position([guess]);
  if (guess) engine.goPonder(position([guess]), time);
}
engines.forEach((engine) => engine.gameover(GameResult.DRAW));

const ready = event(engines[0], "ready");
engines[0].ready();
await ready;
const mate = event(engines[0], "checkmate");
engines[0].goMate(`position sfen ${problem}`, 60);
const [, solution] = await mate;
console.log(JSON.stringify({ options: Object.keys(engines[0].engineOptions).length, moves, hits, end, solution }));
for (const engine of engines) {
  const closed = event(engine, "close");
  engine.quit();
  await closed;
}
