// Reads MDL files with the npm packages war3-model and mdx-m3-viewer and prints one JSON object per file:
//   {"file", "war3-model": {"ok"} or {"ok", "error"}, "mdx-m3-viewer": the same}
// Usage: node mdl_peers.mjs FILE...   (npm install war3-model mdx-m3-viewer, here or where NODE_MODULES points)
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const base = process.env.NODE_MODULES ? path.join(path.resolve(process.env.NODE_MODULES), 'x.js') : import.meta.url;
const require = createRequire(base);

function reader(load) {
  try {
    const read = load();
    return (text) => {
      try {
        read(text);
        return { ok: true };
      } catch (error) {
        return { ok: false, error: String(error.message ?? error) };
      }
    };
  } catch (error) {
    return () => ({ ok: false, error: `not installed: ${error.message}` });
  }
}

const peers = {
  'war3-model': reader(() => {
    const { parseMDL } = require('war3-model');
    return (text) => parseMDL(text);
  }),
  'mdx-m3-viewer': reader(() => {
    const found = require('mdx-m3-viewer/dist/cjs/parsers/mdlx/model');
    const Model = found.default ?? found;
    return (text) => new Model().load(text);
  }),
};

if (process.argv.length < 3) {
  console.error('error: no file was given');
  process.exit(1);
}
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8');
  const result = { file };
  for (const [name, read] of Object.entries(peers)) result[name] = read(text);
  console.log(JSON.stringify(result));
}
