// Compares what wow-mdx-viewer and Effigy read from models of World of Warcraft alpha, field by field.
//
//   node alpha.mjs CHECKOUT FOLDER
//
// CHECKOUT is a copy of the repository barncastle/wow-mdx-viewer, which no package registry has; only its parser is used.
// FOLDER holds NAME.mdx and NAME.fields.json (the example alpha_fields). Fields that the viewer reads wrongly are compared by what
// its fault makes of the bytes, so that each is evidence for the fault; a difference without such a reason is an error.
import { mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const [, , checkout, folder] = process.argv;
const require = createRequire(import.meta.url);

// The parser is three TypeScript files.
function parser() {
  const out = mkdtempSync(join(tmpdir(), 'effigy-alpha-'));
  try {
    for (const name of ['reader', 'mdx/model', 'mdx/modelreader']) {
      const source = readFileSync(join(checkout, 'src/formats', `${name}.ts`), 'utf8');
      const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2020 };
      mkdirSync(dirname(join(out, name)), { recursive: true });
      writeFileSync(join(out, `${name}.js`), ts.transpileModule(source, { compilerOptions: options }).outputText);
    }
    writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }');
    const { ModelReader } = require(join(out, 'mdx/modelreader.js'));
    return (bytes) => new ModelReader().read('', bytes);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const bits = new DataView(new ArrayBuffer(8));
const asFloat = (word) => { bits.setUint32(0, word >>> 0); return bits.getFloat32(0); };
const asWord = (float) => { bits.setFloat32(0, float); return bits.getUint32(0); };

// What the viewer is known to read wrongly: how the fault shows, and what it makes of our value.
const FAULTS = [
  {
    name: 'MODL: it reads a blend time and then the flags; the file has the flags (a byte) and then the number of nodes',
    at: /^Info\.(Flags|nodes)$/,
    agrees: (ours, theirs, { info, peer }) => peer.Info.BlendTime === ((info.Flags | (info.nodes << 8)) | 0) && peer.Info.Flags === info.nodes >>> 24,
  },
  {
    name: 'LITE: keys of attenuation are read as whole numbers; they are floats, like the values without keys',
    at: /^Lights\[\d+\]\.tracks\.Attenuation(Start|End)\.keys/,
    agrees: (ours, theirs) => asFloat(theirs) === Math.fround(ours),
  },
  {
    name: 'PRE2: ranges of texture cells are read as floats; they are whole numbers',
    at: /^ParticleEmitters2\[\d+\]\.(LifeSpan|Decay|Tail|TailDecay)UVAnim/,
    agrees: (ours, theirs) => asWord(theirs) === ours,
  },
  {
    name: 'TEXS: a texture without a path gets the name of its replaceable id as path',
    at: /^Textures\[\d+\]\.Image$/,
    agrees: (ours, theirs) => ours === '' && theirs.length > 0,
  },
];

let compared = 0;
const faults = new Map();
const wrong = [];

function compare(path, ours, theirs, context) {
  compared += 1;
  const number = (value) => (value === null || value === undefined ? -1 : Number(value));
  const same = typeof ours === 'string' ? ours === theirs
    : typeof ours === 'boolean' ? ours === theirs
      : Math.fround(number(ours)) === Math.fround(number(theirs)) || (Number.isNaN(ours) && Number.isNaN(theirs));
  if (same && !(path in { 'Info.Flags': 1 })) return;
  const fault = FAULTS.find(({ at, agrees }) => at.test(path) && agrees(ours, theirs, context));
  if (fault) faults.set(fault.name, (faults.get(fault.name) ?? 0) + 1);
  else wrong.push(`${context.name}: ${path}: ${JSON.stringify(ours)}, the viewer has ${JSON.stringify(theirs)}`);
}

const isTrack = (value) => value !== null && typeof value === 'object' && 'Keys' in value;

function track(path, ours, theirs, context) {
  if (ours === null) {
    if (isTrack(theirs)) wrong.push(`${context.name}: ${path}: no track, the viewer has one`);
    return;
  }
  if (!isTrack(theirs)) {
    wrong.push(`${context.name}: ${path}: a track, the viewer has none`);
    return;
  }
  compare(`${path}.type`, ours.type, theirs.LineType, context);
  compare(`${path}.global`, ours.global, theirs.GlobalSeqId, context);
  compare(`${path}.count`, ours.keys.length, theirs.Keys.length, context);
  const turns = /\.Rotation$/.test(path) && !path.startsWith('Cameras');
  const whole = /\.(TextureID|TextureSlot)$/.test(path);
  ours.keys.forEach(([time, ...words], index) => {
    const key = theirs.Keys[index];
    if (!key) return;
    const at = `${path}.keys[${index}]`;
    compare(`${at}.time`, time | 0, key.Frame, context);
    const have = [key.Vector, key.InTan ?? [], key.OutTan ?? []].flatMap((part) => [...part]);
    const want = words.map((word) => (whole ? word | 0 : asFloat(word)));
    if (want.length !== have.length) {
      wrong.push(`${context.name}: ${at}: ${want.length} numbers, the viewer has ${have.length}`);
      return;
    }
    want.forEach((value, number) => {
      if (!turns) return compare(`${at}[${number}]`, value, have[number], context);
      // Both unpack the same bits; either sign is the same rotation. The fourth number is the root of what the others leave of 1.
      compared += 1;
      const first = number - (number % 4);
      const near = [2e-6, 2e-6, 2e-6, 2e-3];
      const apart = (sign) => Math.max(...near.map((most, part) => Math.abs(want[first + part] - sign * have[first + part]) / most));
      if (Math.min(apart(1), apart(-1)) > 1) wrong.push(`${context.name}: ${at}: ${want.slice(first, first + 4)}, the viewer has ${have.slice(first, first + 4)}`);
      return undefined;
    });
  });
}

function walk(path, ours, theirs, context) {
  if (Array.isArray(ours)) {
    const list = theirs === undefined || theirs === null ? [] : [...theirs];
    compare(`${path}.length`, ours.length, list.length, context);
    ours.forEach((value, index) => index < list.length && walk(`${path}[${index}]`, value, list[index], context));
  } else if (ours !== null && typeof ours === 'object') {
    for (const [key, value] of Object.entries(ours)) {
      const at = path ? `${path}.${key}` : key;
      if (key === 'tracks') for (const [name, one] of Object.entries(value)) track(`${at}.${name}`, one, theirs[name], context);
      else if (key === 'bones') bones(path, value, theirs, context);
      else walk(at, value, isTrack(theirs[key]) ? theirs[key].Default : theirs[key], context);
    }
  } else if (ours !== null) {
    compare(path, ours, theirs, context);
  }
}

// Geosets of 1500: the viewer makes groups of the bones of vertices, without the zeros at their end.
function bones(path, rows, theirs, context) {
  rows.forEach((row, vertex) => {
    compared += 1;
    const short = row.slice();
    while (short.length > 1 && short[short.length - 1] === 0) short.pop();
    const have = theirs.Groups[theirs.VertexGroup[vertex]];
    if (JSON.stringify(short) !== JSON.stringify(have)) wrong.push(`${context.name}: ${path}.bones[${vertex}]: ${row}, the viewer has ${have}`);
  });
}

const read = parser();
const names = readdirSync(folder).filter((name) => name.endsWith('.fields.json')).map((name) => name.slice(0, -12)).sort();
for (const name of names) {
  const ours = JSON.parse(readFileSync(join(folder, `${name}.fields.json`), 'utf8'));
  try {
    const peer = read(readFileSync(join(folder, `${name}.mdx`)));
    walk('', ours, peer, { name, info: ours.Info, peer });
  } catch (error) {
    wrong.push(`${name}: the viewer cannot read it: ${error.message}`);
  }
}
console.log(`wow-mdx-viewer: ${names.length} models, ${compared} numbers and texts compared, ${wrong.length} differ without a known reason`);
for (const [fault, count] of faults) console.log(`  ${String(count).padStart(6)}  ${fault}`);
wrong.slice(0, 40).forEach((line) => console.error(`  ${line}`));
process.exit(wrong.length > 0 || names.length === 0 ? 1 : 0);
