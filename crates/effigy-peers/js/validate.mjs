// Runs the Khronos validator over folders and files.
//
//   node validate.mjs PATH... [--json] [--at-least=COUNT]
//
// Prints one line for every file with an error or a warning, and a summary. Exits 1 if there was any, or if there were
// fewer files than COUNT (1, unless it is given).
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import validator from 'gltf-validator';

const args = process.argv.slice(2);
const asJson = args.includes('--json');
const atLeast = Number(args.find((arg) => arg.startsWith('--at-least='))?.split('=')[1] ?? 1);
const files = [];
const walk = (path) => {
  if (statSync(path).isDirectory()) readdirSync(path).sort().forEach((name) => walk(join(path, name)));
  else if (/\.(glb|gltf)$/i.test(path)) files.push(path);
};
args.filter((arg) => !arg.startsWith('--')).forEach(walk);

let errors = 0;
let warnings = 0;
const codes = new Map();
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
    uri: file,
    maxIssues: 1000,
    externalResourceFunction: async (uri) =>
      new Uint8Array(readFileSync(resolve(dirname(file), decodeURIComponent(uri)))),
  });
  const bad = report.issues.messages.filter((message) => message.severity < 2);
  errors += report.issues.numErrors;
  warnings += report.issues.numWarnings;
  for (const message of bad) codes.set(message.code, (codes.get(message.code) ?? 0) + 1);
  if (bad.length && !asJson) {
    const first = bad[0];
    console.log(`${file}: ${bad.length} (${first.code} ${first.pointer ?? ''}: ${first.message})`);
  }
}
const summary = { files: files.length, errors, warnings, codes: Object.fromEntries([...codes].sort()) };
console.log(asJson ? JSON.stringify(summary) : `${files.length} files, ${errors} errors, ${warnings} warnings ${JSON.stringify(summary.codes)}`);
if (!(files.length >= atLeast)) console.error(`error: ${files.length} files were validated, ${atLeast} were expected`);
process.exit(errors + warnings || !(files.length >= atLeast) ? 1 : 0);
