// Compares node matrices of our sampler with those of mdx-m3-viewer.
//
//   node oracle.mjs FOLDER
//
// FOLDER holds NAME.nodes.json files as written by
//
//   cargo run --release -p effigy-peers --example export_models -- FOLDER MODELS... --nodes
//
// Each names its model and has matrices (column by column, by object id) at random times. mdx-m3-viewer's own code chooses
// and interpolates keys and computes nodes, without a camera, so billboards do not turn.
//
// A matrix that differs by more than 1e-3 (of the model's size, or of the matrix's numbers) needs a reason, and a reason
// is tested: the viewer runs once more on the same model with the one thing changed that the reason names, and must then
// agree. Where the viewer's answer cannot be used at all (it depends on the frame before, or divides by zero) the flags that
// cause it are looked for. Exits 1 if a difference has no reason, or if nothing was compared.
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const Model = require('mdx-m3-viewer/dist/cjs/parsers/mdlx/model.js').default;
const { createTypedSd } = require('mdx-m3-viewer/dist/cjs/viewer/handlers/mdx/sd.js');
const MdxNode = require('mdx-m3-viewer/dist/cjs/viewer/handlers/mdx/node.js').default;
const { createSkeletalNodes } = require('mdx-m3-viewer/dist/cjs/viewer/skeletalnode.js');
const { Node } = require('mdx-m3-viewer/dist/cjs/viewer/node.js');
const { quat, vec3 } = require('gl-matrix');

const NODE_LISTS = ['bones', 'lights', 'helpers', 'attachments', 'particleEmitters', 'particleEmitters2',
  'particleEmittersPopcorn', 'ribbonEmitters', 'eventObjects', 'collisionShapes'];
const [TRANSLATION, SCALING, ROTATION] = [1, 2, 4];
const LIMIT = 1e-3;

// What is changed before the viewer runs again, from the smallest change to the largest.
const REASONS = [
  ['rotations whose length is not 1: we normalise keys before interpolating, the viewer only the result', { unit: true }],
  ['keys out of order: we sort them, the viewer uses them as they are', { sorted: true }],
  ['keys out of order and rotations whose length is not 1', { sorted: true, unit: true }],
  ['nodes that inherit neither rotation nor scale: the game then ignores their own rotation too, the viewer keeps it', { sorted: true, unit: true, quirk: true }],
];

// The tracks of a model, with the given changes to their keys.
function tracksOf(model, change) {
  const shown = { sequences: model.sequences, globalSequences: model.globalSequences };
  const nodes = new Map();
  for (const list of NODE_LISTS) {
    for (const node of model[list] ?? []) if (!nodes.has(node.objectId)) nodes.set(node.objectId, node);
  }
  const unit = (value) => quat.normalize(new Float32Array(4), value);
  return new Map([...nodes].map(([id, node]) => {
    const tracks = node.animations.filter((it) => ['KGTR', 'KGRT', 'KGSC'].includes(it.name)).map((animation) => {
      const order = [...animation.frames.keys()];
      if (change.sorted) order.sort((a, b) => animation.frames[a] - animation.frames[b] || a - b);
      const turned = (list) => {
        const values = order.map((i) => list[i]).filter((it) => it !== undefined);
        return change.unit && animation.name === 'KGRT' ? values.map(unit) : values;
      };
      const changed = Object.assign(Object.create(Object.getPrototypeOf(animation)), animation, {
        frames: order.map((i) => animation.frames[i]),
        values: turned(animation.values),
        inTans: turned(animation.inTans),
        outTans: turned(animation.outTans),
      });
      return [animation.name, createTypedSd(shown, changed)];
    });
    return [id, { id, flags: node.flags, parent: node.parentId === id ? -1 : node.parentId, tracks: new Map(tracks) }];
  }));
}

// Matrices by object id, from the viewer's own nodes.
function worldMatrices(model, tracks, change, { sequence, frame, clock }) {
  const instance = new Node();
  const made = createSkeletalNodes(tracks.size, MdxNode).nodes;
  const done = new Map();
  const resolve = (id, depth) => {
    if (done.has(id)) return done.get(id);
    const source = tracks.get(id);
    if (!source || depth > 512) return null;
    const parent = source.parent >= 0 && tracks.has(source.parent) ? resolve(source.parent, depth + 1) : null;
    const node = made[done.size];
    node.parent = parent ?? instance;
    vec3.copy(node.pivot, model.pivotPoints[id] ?? [0, 0, 0]);
    const into = { KGTR: node.localLocation, KGRT: node.localRotation, KGSC: node.localScale };
    for (const [name, track] of source.tracks) track.getValue(into[name], sequence, frame, clock);
    quat.normalize(node.localRotation, node.localRotation);
    node.dontInheritTranslation = (source.flags & TRANSLATION) > 0;
    node.dontInheritScaling = (source.flags & SCALING) > 0;
    node.dontInheritRotation = (source.flags & ROTATION) > 0;
    if (change.quirk && (source.flags & 7) === (SCALING | ROTATION)) quat.identity(node.localRotation);
    node.recalculateTransformation(instance);
    done.set(id, node);
    return node;
  };
  for (const id of tracks.keys()) resolve(id, 0);
  return new Map([...done].map(([id, node]) => [id, node.worldMatrix]));
}

function difference(ours, theirs, size) {
  let worst = 0;
  for (let i = 0; i < 16; i += 1) {
    const scale = i >= 12 ? size : Math.max(1, Math.abs(theirs[i]));
    const error = Math.abs(ours[i] - theirs[i]) / scale;
    if (!(error <= worst)) worst = Number.isNaN(error) ? Infinity : error;
  }
  return worst;
}

// The reason why the viewer's answer for a node cannot be used, or null.
function beyondThePeer(model, tracks, id, sample) {
  for (let at = tracks.get(id), steps = 0; at && steps < 512; at = tracks.get(at.parent), steps += 1) {
    if (!(at.flags & 7)) continue;
    if (at.flags & TRANSLATION) return 'below nodes that do not inherit translation: the viewer adds the previous position of the node';
    if (at.flags & (SCALING | ROTATION)) {
      for (let up = tracks.get(at.parent), more = 0; up && more < 512; up = tracks.get(up.parent), more += 1) {
        const scale = vec3.fromValues(1, 1, 1);
        up.tracks.get('KGSC')?.getValue(scale, sample.sequence, sample.frame, sample.clock);
        if (Math.max(...scale) - Math.min(...scale) > 1e-4) return 'nodes that do not inherit everything, below a scale that differs by axis: the viewer undoes it axis by axis in another order';
        if (Math.min(...scale) <= 0) return 'nodes that do not inherit everything, below a scale of zero: the viewer divides by it';
      }
    }
  }
  return null;
}

let models = 0, compared = 0, refusing = 0, unread = 0;
const found = new Map();
const note = (reason, name, error, where) => {
  const entry = found.get(reason) ?? { matrices: 0, models: new Map() };
  entry.matrices += 1;
  if (!(entry.models.get(name)?.error >= error)) entry.models.set(name, { error, where });
  found.set(reason, entry);
};
const UNKNOWN = 'no known reason';
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
  const plain = tracksOf(model, {});
  const changed = REASONS.map(([, change]) => change && { change, tracks: null });
  for (const sample of ours.samples) {
    const theirs = worldMatrices(model, plain, {}, sample);
    const again = [];
    for (const [key, matrix] of Object.entries(sample.matrices)) {
      const id = Number(key);
      const other = theirs.get(id);
      if (!other) continue;
      compared += 1;
      for (let at = plain.get(id), steps = 0; at && steps < 512; at = plain.get(at.parent), steps += 1) {
        if (at.flags & 7) { refusing += 1; break; }
      }
      const error = difference(matrix, other, ours.size);
      if (error <= LIMIT) continue;
      const reason = REASONS.findIndex((_, index) => {
        const entry = changed[index];
        entry.tracks ??= tracksOf(model, entry.change);
        again[index] ??= worldMatrices(model, entry.tracks, entry.change, sample);
        return difference(matrix, again[index].get(id), ours.size) <= LIMIT;
      });
      const where = `node ${id} at ${sample.frame} of sequence ${sample.sequence}`;
      note(reason >= 0 ? REASONS[reason][0] : beyondThePeer(model, plain, id, sample) ?? UNKNOWN, name, error, where);
    }
  }
}
for (const [reason, { matrices, models }] of [...found].sort()) {
  console.log(`${matrices} matrices in ${models.size} models differ: ${reason}`);
  for (const [name, { error, where }] of models) {
    const short = name.replace(/\.nodes\.json$/, '').split('__').pop();
    console.log(`    ${error.toExponential(2)}  ${short} (${where})`);
  }
}
const unknown = found.get(UNKNOWN)?.matrices ?? 0;
console.log(`${models} models, ${compared} matrices compared, ${refusing} of them at or below nodes that do not inherit everything, ${unknown} differ without a known reason; the peer cannot read ${unread} files`);
if (compared === 0) console.error('error: no matrix was compared');
process.exit(unknown || compared === 0 ? 1 : 0);
