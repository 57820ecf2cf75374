// Compares the error-level findings of mdx-m3-viewer with those of `effigy check --json`, finding by finding.
//
//   node sanity.mjs FOLDER > theirs.ndjson
//   effigy check --json 'FOLDER/**/*.mdx' > ours.ndjson
//   node sanity-compare.mjs theirs.ndjson ours.ndjson docs/checks.md
//
// Prints a table of the kinds of errors and one of the files that have them. Exits with 1 if one of its errors is neither
// found by us in the same file, with the same index or path, nor explained on the page, or if nothing was compared.
import { readFileSync } from "node:fs";

// The beginnings of its messages, and our codes for the same problem.
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

// Disagreements: which errors they are about, and the text on the page that explains them.
const EXPLAINED = [
  ["Invalid texture", (file) => file.version >= 1100, "layers from 1100 on are tested by the one texture field"],
  ["Corrupted face effect path", () => true, "the extension of a face animation counts in small letters only"],
  ["Vertex", () => true, "a vertex hangs on an object by its position in the list of objects"],
];

const lines = (path) => readFileSync(path, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
const [theirs, ours] = [lines(process.argv[2]), lines(process.argv[3])];
const page = readFileSync(process.argv[4], "utf8");
const files = new Map(ours.filter((line) => line.path).map((line) => [line.path, line]));

/** The index or the path that a message is about. */
const about = (message) => message.match(/"([^"]*)"$/)?.[1] ?? message.match(/(-?\d+)$/)?.[1] ?? "";

/** Our result for one of its errors: "found", the explanation, or undefined. */
function answer(path, finding, kind, codes) {
  const file = files.get(path);
  const says = (one) => ` ${one.message.replaceAll(/[",]/g, " ")} `.includes(` ${about(finding.message)} `);
  const same = (one) => codes.includes(one.code) && (about(finding.message) === "" || says(one));
  if (file?.findings?.some(same)) return "found";
  return EXPLAINED.find(([of, when, words]) => of === kind && file && when(file) && page.includes(words))?.[2];
}

const kinds = new Map();
const table = [];
let unexplained = 0;
for (const { path, findings } of theirs.filter((line) => line.findings)) {
  for (const finding of findings.filter((one) => one.severity === "error")) {
    const [kind, codes] = KINDS.find(([start]) => finding.message.startsWith(start)) ?? [finding.message, []];
    const row = kinds.get(kind) ?? { errors: 0, found: 0, explained: 0, codes };
    const how = answer(path, finding, kind, codes);
    row.errors += 1;
    row.found += how === "found" ? 1 : 0;
    row.explained += how && how !== "found" ? 1 : 0;
    unexplained += how ? 0 : 1;
    kinds.set(kind, row);
    table.push([path.split("/").at(-1), finding.place, finding.message, how ?? "NOT FOUND"]);
  }
}

const print = (heads, rows) => {
  console.log(`\n| ${heads.join(" | ")} |\n|${"---|".repeat(heads.length)}`);
  for (const row of rows) console.log(`| ${row.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`);
};
print(["file", "place", "error of mdx-m3-viewer", "here"], table);
const byKind = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1));
print(
  ["error of mdx-m3-viewer", "codes here", "findings", "found here, too", "explained"],
  byKind.map(([kind, row]) => [kind, row.codes.join(", "), row.errors, row.found, row.explained]),
);
const failed = theirs.filter((line) => line.failed).length;
console.log(`\n${theirs.length - failed} files that mdx-m3-viewer can load, ${failed} that it cannot; ${unexplained} of its errors neither found nor explained`);
const compared = theirs.filter((line) => line.findings && files.has(line.path)).length;
if (compared === 0) console.error("error: no file was checked by both");
process.exit(unexplained > 0 || compared === 0 ? 1 : 0);
