// Runs the sanity test of mdx-m3-viewer over MDX files and prints one JSON object a file: path, milliseconds, and the
// findings with their severity and the names of the objects that they are in. Files that its parser refuses have "failed".
// With --time, nothing but the totals is printed.
//
//   npm install mdx-m3-viewer@5 && node sanity.mjs [--time] FILE...
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(process.cwd() + "/");
const { parsers, utils } = require("mdx-m3-viewer");
const Model = parsers.mdlx.Model;
const sanityTest = utils.mdlx.sanityTest;

function collect(node, path, findings) {
  for (const child of node.nodes) {
    if (child.type === "node") {
      collect(child, path.concat(child.name), findings);
    } else {
      findings.push({ severity: child.type, place: path.join(" > "), message: child.message });
    }
  }
  return findings;
}

const timing = process.argv[2] === "--time";
const files = process.argv.slice(timing ? 3 : 2).map((path) => ({ path, bytes: new Uint8Array(readFileSync(path)) }));
let bytes = 0;
let failed = 0;
const start = performance.now();
for (const file of files) {
  bytes += file.bytes.length;
  const begin = performance.now();
  try {
    const model = new Model();
    model.load(file.bytes);
    const result = sanityTest(model);
    if (!timing) {
      const findings = collect(result, [], []);
      const milliseconds = performance.now() - begin;
      console.log(JSON.stringify({ path: file.path, milliseconds, findings }));
    }
  } catch (error) {
    failed += 1;
    if (!timing) console.log(JSON.stringify({ path: file.path, failed: String(error) }));
  }
}
if (timing) {
  const milliseconds = performance.now() - start;
  console.log(JSON.stringify({ files: files.length, failed, bytes, milliseconds }));
}
