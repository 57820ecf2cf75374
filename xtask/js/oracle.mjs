// Compares node matrices of our sampler with those that mdx-m3-viewer's key sampling gives.
//
//   node oracle.mjs FOLDER
//
// FOLDER holds NAME.nodes.json files as written by
//
//   cargo run --release -p effigy-convert --example export_corpus -- FOLDER MODELS... --nodes
//
// Each names its model and holds matrices (column by column, by object id) at random times. Keys are chosen and
// interpolated by mdx-m3-viewer's own code; the hierarchy is the plain rule, so nodes that refuse something of their
// parents, and all below them, are left out and counted. Exits 1 when a model differs by more than 1e-3 of its size.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const Model = require('mdx-m3-viewer/dist/cjs/parsers/mdlx/model.js').default;
const { createTypedSd } = require('mdx-m3-viewer/dist/cjs/viewer/handlers/mdx/sd.js');
const { mat4, quat, vec3 } = require('gl-matrix');

const NODE_LISTS = ['bones', 'lights', 'helpers', 'attachments', 'particleEmitters', 'particleEmitters2',
  'particleEmittersPopcorn', 'ribbonEmitters', 'eventObjects', 'collisionShapes'];
const REFUSES = 7;

function worldMatrices(model, sequence, frame, clock) {
  const shown = { sequences: model.sequences, globalSequences: model.globalSequences };
  const nodes = new Map();
  for (const list of NODE_LISTS) {
    for (const node of model[list] ?? []) if (!nodes.has(node.objectId)) nodes.set(node.objectId, node);
  }
  const done = new Map();
  const resolve = (id, depth) => {
    if (done.has(id)) return done.get(id);
    const node = nodes.get(id);
    if (!node || depth > 512) return null;
    const parent = node.parentId >= 0 && nodes.has(node.parentId) ? resolve(node.parentId, depth + 1) : { matrix: mat4.create(), plain: true };
    if (!parent) return null;
    const t = vec3.create(), r = quat.create(), s = vec3.fromValues(1, 1, 1);
    for (const animation of node.animations) {
      const out = { KGTR: t, KGRT: r, KGSC: s }[animation.name];
      if (out) createTypedSd(shown, animation).getValue(out, sequence, frame, clock);
    }
    quat.normalize(r, r);
    const pivot = model.pivotPoints[id] ?? [0, 0, 0];
    const local = mat4.fromRotationTranslationScaleOrigin(mat4.create(), r, t, s, pivot);
    const result = { matrix: mat4.multiply(mat4.create(), parent.matrix, local), plain: parent.plain && !(node.flags & REFUSES) };
    done.set(id, result);
    return result;
  };
  for (const id of nodes.keys()) resolve(id, 0);
  return done;
}

let models = 0, compared = 0, left = 0, bad = 0, unread = 0;
const folder = process.argv[2];
for (const name of readdirSync(folder).filter((name) => name.endsWith('.nodes.json')).sort()) {
  const ours = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const model = new Model();
  try {
    model.load(new Uint8Array(readFileSync(ours.path)));
  } catch {
    unread += 1; // the peer cannot read the file
    continue;
  }
  models += 1;
  let worst = 0, where = '';
  for (const sample of ours.samples) {
    const theirs = worldMatrices(model, sample.sequence, sample.frame, sample.clock);
    for (const [id, matrix] of Object.entries(sample.matrices)) {
      const other = theirs.get(Number(id));
      if (!other || !other.plain) { left += 1; continue; }
      compared += 1;
      for (let i = 0; i < 16; i += 1) {
        const scale = i >= 12 ? ours.size : Math.max(1, Math.abs(other.matrix[i]));
        const error = Math.abs(matrix[i] - other.matrix[i]) / scale;
        if (error > worst) { worst = error; where = `node ${id} at ${sample.frame} of sequence ${sample.sequence}`; }
      }
    }
  }
  if (!(worst <= 1e-3)) {
    bad += 1;
    console.log(`${name}: ${worst.toExponential(2)} (${where})`);
  }
}
console.log(`${models} models, ${compared} matrices compared, ${left} left out, ${unread} files the peer cannot read, ${bad} models differ`);
process.exit(bad ? 1 : 0);
