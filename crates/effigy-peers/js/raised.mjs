// Reads converted MDX files with war3-model and mdx-m3-viewer and prints one JSON object per file: {"file", "wrong"}, where
// "wrong" lists what the programs say. The sanity test of mdx-m3-viewer must find neither errors nor severe faults.
//
//   node raised.mjs FOLDER...     every .mdx below the folders
//
// mdx-m3-viewer ends at version 1000: later files are read by war3-model alone.
import { createRequire } from "node:module";
import { readFileSync, readdirSync } from "node:fs";

const require = createRequire(import.meta.url);
const { parsers, utils } = require("mdx-m3-viewer");
const { parseMDX } = require("war3-model");

function bad(node, path, found) {
  for (const child of node.nodes) {
    if (child.type === "node") bad(child, path.concat(child.name), found);
    else if (child.type === "error" || child.type === "severe") found.push(`${path.join(" > ")}: ${child.message}`);
  }
  return found;
}

function wrong(bytes) {
  const found = [];
  try {
    const model = parseMDX(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    if (model.Version <= 1000) {
      const other = new parsers.mdlx.Model();
      other.load(bytes);
      if (other.geosets.length !== model.Geosets.length || other.sequences.length !== model.Sequences.length) {
        found.push("war3-model and mdx-m3-viewer count different geosets or sequences");
      }
      found.push(...bad(utils.mdlx.sanityTest(other), [], []).map((text) => `mdx-m3-viewer: ${text}`));
    }
  } catch (error) {
    found.push(String(error.stack ?? error).split("\n").slice(0, 2).join(" "));
  }
  return found;
}

for (const folder of process.argv.slice(2)) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".mdx"));
  for (const name of names.sort()) {
    const file = `${folder}/${name}`;
    console.log(JSON.stringify({ file, wrong: wrong(new Uint8Array(readFileSync(file))) }));
  }
}
