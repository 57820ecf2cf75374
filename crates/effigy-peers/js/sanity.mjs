// Runs the sanity test of mdx-m3-viewer over MDX files and prints one JSON object per file: the path, and the findings with
// their severity and the names of the objects that they are about. Files that its parser refuses have "failed".
//
//   npm install && node sanity.mjs FILE...     or folders, for every .mdx in them
//   node sanity.mjs --loadable FILE...         the files that it can load, one per line
//   node sanity.mjs --time ROUNDS FILE...      a line for each round over all files: milliseconds of wall clock and of CPU
import { createRequire } from "node:module";
import { readFileSync, readdirSync, statSync } from "node:fs";

const require = createRequire(import.meta.url);
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

function check(file) {
  const model = new Model();
  model.load(file.bytes);
  return sanityTest(model);
}

/** Every .mdx below a folder, sorted by name; a file is returned unchanged. */
function expand(path) {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true }).filter((name) => name.toLowerCase().endsWith(".mdx"));
  return names.sort().map((name) => `${path}/${name}`);
}

const read = (paths) => paths.flatMap(expand).map((path) => ({ path, bytes: new Uint8Array(readFileSync(path)) }));
const words = process.argv.slice(2);
if (words[0] === "--time") {
  const files = read(words.slice(2));
  for (let round = 0; round < Number(words[1]); round++) {
    const [wall, cpu] = [performance.now(), process.cpuUsage()];
    files.forEach(check);
    const used = process.cpuUsage(cpu);
    console.log(`${performance.now() - wall} ${(used.user + used.system) / 1000}`);
  }
} else {
  const loadable = words[0] === "--loadable";
  for (const file of read(words.slice(loadable ? 1 : 0))) {
    try {
      const findings = collect(check(file), [], []);
      console.log(loadable ? file.path : JSON.stringify({ path: file.path, findings }));
    } catch (error) {
      if (!loadable) console.log(JSON.stringify({ path: file.path, failed: String(error) }));
    }
  }
}
