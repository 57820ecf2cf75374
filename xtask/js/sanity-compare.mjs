// Holds the error-level findings of mdx-m3-viewer against those of `effigy check --json`, kind by kind.
//
//   node sanity.mjs FILE... > theirs.ndjson
//   effigy check --json FILE... > ours.ndjson
//   node sanity-compare.mjs theirs.ndjson ours.ndjson
//
// Exits with 1 when one of its errors is in a file where none of ours is of the same kind.
import { readFileSync } from "node:fs";

// What its messages begin with, and the codes that say the same.
const KINDS = [
  ["Version 900", ["MDX1001"]],
  ["Corrupted path", ["MDX5001"]],
  ["Corrupted face effect path", ["MDX2110"]],
  ["Unknown replaceable ID", ["MDX5002"]],
  ["Invalid replaceable ID", ["MDX6003"]],
  ["Invalid path", ["MDX6001", "MDX2102"]],
  ["Invalid texture animation", ["MDX5011"]],
  ["Invalid texture", ["MDX5010", "MDX6002", "MDX3016"]],
  ["Invalid material", ["MDX4004", "MDX6011"]],
  ["Invalid geoset animation", ["MDX2012"]],
  ["Invalid geoset", ["MDX2011", "MDX4013"]],
  ["Invalid global sequence", ["MDX3001", "MDX2105"]],
  ["Invalid parent", ["MDX2001"]],
  ["Same object and parent", ["MDX2002"]],
  ["Zero tracks", ["MDX2103"]],
  ["Vertex", ["MDX4104", "MDX4106"]],
];

const lines = (path) => readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const [theirs, ours] = [lines(process.argv[2]), lines(process.argv[3])];
const codes = new Map(ours.filter((line) => line.path).map((line) => [line.path, new Set((line.findings ?? []).map((one) => one.code))]));
const rows = new Map();
let missing = 0;
for (const file of theirs.filter((line) => line.findings)) {
  for (const finding of file.findings.filter((one) => one.severity === "error")) {
    const [kind, wanted] = KINDS.find(([start]) => finding.message.startsWith(start)) ?? [finding.message, []];
    const row = rows.get(kind) ?? { errors: 0, found: 0 };
    row.errors += 1;
    if (wanted.some((code) => codes.get(file.path)?.has(code))) {
      row.found += 1;
    } else {
      missing += 1;
      console.error(`${file.path}: ${finding.place}: ${finding.message}`);
    }
    rows.set(kind, row);
  }
}
console.log("| error of mdx-m3-viewer | findings | found here, too |\n|---|---|---|");
for (const [kind, row] of [...rows].sort()) console.log(`| ${kind} | ${row.errors} | ${row.found} |`);
const failed = theirs.filter((line) => line.failed).length;
console.log(`\n${theirs.length - failed} files read by both, ${failed} that mdx-m3-viewer cannot read, ${missing} errors not found here`);
process.exit(missing > 0 ? 1 : 0);
