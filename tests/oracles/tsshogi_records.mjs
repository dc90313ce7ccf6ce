// Exchanges game records between sanban and tsshogi (https://www.npmjs.com/package/tsshogi).
//
//    npm install --prefix /tmp/tsshogi tsshogi
//    node tests/oracles/tsshogi_records.mjs target/release/sanban games.sfen /tmp/tsshogi
//
// The games are lines of SFEN with moves, as written by `cshogi_records.py --keep`. They are converted in both
// directions in every format that both programs support. A game that is rejected or read with different moves is
// reported with the reason.

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const [program, games, modules] = process.argv.slice(2);
const shogi = createRequire(path.resolve(modules, "x.js"))("tsshogi");
const lines = fs.readFileSync(games, "utf8").trim().split("\n");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "tsshogi-"));

const formats = {
  kifu: [shogi.importKIF, (record) => shogi.exportKIF(record)],
  ki2u: [shogi.importKI2, (record) => shogi.exportKI2(record)],
  csa: [shogi.importCSA, (record) => shogi.exportCSA(record)],
  csa3: [shogi.importCSA, (record) => shogi.exportCSA(record, { v3: { milliseconds: true } })],
  jkf: [shogi.importJKFString, (record) => shogi.exportJKFString(record)],
  sfen: [(text) => shogi.Record.newByUSI(text.trim()), (record) => record.getUSI({ allMoves: true }) + "\n"],
};

/** Returns the start position without its move count, and the moves. */
function tell(record) {
  if (record instanceof Error) return `${record.name}: ${record.message}`;
  const [start, moves = ""] = record.getUSI({ allMoves: true, startpos: false }).replace(/^position /, "").split(" moves ");
  return start.split(" ").slice(0, 4).join(" ") + " moves " + moves;
}

function wanted(line) {
  const [start, moves = ""] = line.split(" moves ");
  return start.split(" ").slice(0, 4).join(" ") + " moves " + moves;
}

function report(what, failures) {
  console.log(`${what.padEnd(30)} ${lines.length - failures.length} of ${lines.length} the same`);
  for (const failure of failures.slice(0, 20)) console.log("    " + failure);
}

/** Converts files into a directory with sanban; returns its error messages. */
function convert(files, to, out) {
  const done = spawnSync(program, ["convert", "--to", to, "--out", out, ...files], { encoding: "utf8" });
  return done.stderr.split("\n").filter((line) => line.startsWith("sanban: "));
}

/** Returns all games in a format, as written by sanban. CSA games are in one file. */
function written(format, out) {
  convert([path.resolve(games)], format, out);
  const stem = path.join(out, path.basename(games).replace(/\.[^.]*$/, ""));
  const whole = `${stem}.${format}`;
  if (!fs.existsSync(whole)) return lines.map((_, number) => fs.readFileSync(`${stem}-${number + 1}.${format}`, "utf8"));
  const text = fs.readFileSync(whole, "utf8");
  return format === "sfen" ? text.trim().split("\n") : text.split(/^\/\n/m);
}

for (const [format, [read, write]] of Object.entries(formats)) {
  const out = path.join(folder, format);
  let failures = [];
  const texts = written(format, out);
  lines.forEach((line, number) => {
    const found = tell(read(texts[number]));
    if (found !== wanted(line)) failures.push(`game ${number + 1}: ${found}`);
  });
  report(`sanban ${format} read by tsshogi`, failures);
  const inside = path.join(folder, "in-" + format), back = path.join(folder, "back-" + format);
  fs.mkdirSync(inside);
  const files = lines.map((line, number) => {
    const file = path.join(inside, `${number}.${format}`);
    fs.writeFileSync(file, write(shogi.Record.newByUSI(line)));
    return file;
  });
  failures = convert(files, "sfen", back);
  lines.forEach((line, number) => {
    const file = path.join(back, number + ".sfen");
    if (!fs.existsSync(file)) return;
    const found = wanted(fs.readFileSync(file, "utf8").trim());
    if (found !== wanted(line)) failures.push(`game ${number + 1}: ${found}`);
  });
  report(`tsshogi ${format} read by sanban`, failures);
}
fs.rmSync(folder, { recursive: true });
