// In the browser: draws a model with each viewer, measures how far their pictures are from ours, and lays out sheets.
'use strict';

const BACKGROUND = 64;
const TILE = 256;
const CAPTION = 18;
const STEP = 1000 / 60;
const TEAM = [255, 3, 3];

// The same random numbers every time.
let state = 1;
function seed() {
  state = 0x2545f491;
}
Math.random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

function byPlace(width, color) {
  const image = new ImageData(width, width);
  for (let y = 0; y < width; y += 1) for (let x = 0; x < width; x += 1) image.data.set(color(x, y), (y * width + x) * 4);
  return image;
}

// Our substitutes for missing textures, so that a missing file does not count as a difference.
const checker = () => byPlace(32, (x, y) => ((x >> 3) + (y >> 3)) % 2 === 0 ? [176, 176, 176, 255] : [136, 136, 136, 255]);
const disc = () => byPlace(32, (x, y) => {
  const light = Math.max(0, 1 - Math.hypot((x + 0.5) / 16 - 1, (y + 0.5) / 16 - 1)) ** 2 * 255;
  return [light, light, light, light];
});
const teamColor = () => byPlace(1, () => [...TEAM, 255]);
const teamGlow = () => byPlace(64, (x, y) => {
  const light = Math.sin(Math.min(1, Math.max(0, 1 - 2.8 * Math.hypot((x + 0.5) / 64 - 0.5, (y + 0.5) / 64 - 0.5))));
  return [...TEAM.map((channel) => channel * light), 255];
});

async function bytesOf(url) {
  const response = await fetch(url);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}

// WebGL 1 repeats only textures whose sides are powers of two.
function powerOfTwo(image) {
  const side = (length) => 2 ** Math.ceil(Math.log2(length));
  const [width, height] = [side(image.width), side(image.height)];
  if (width === image.width && height === image.height) return image;
  const from = new OffscreenCanvas(image.width, image.height);
  from.getContext('2d').putImageData(image, 0, 0);
  const to = new OffscreenCanvas(width, height);
  to.getContext('2d').drawImage(from, 0, 0, width, height);
  return to.getContext('2d').getImageData(0, 0, width, height);
}

const isBlp = (bytes) => bytes[0] === 0x42 && bytes[1] === 0x4c && bytes[2] === 0x50;

const isTeam = (path) => /team(color|glow)/i.test(path);

function standIn(path, onlyParticles) {
  if (/teamcolor/i.test(path)) return teamColor();
  if (/teamglow/i.test(path)) return teamGlow();
  if (/_normal\.[a-z]+$/i.test(path)) return byPlace(1, () => [128, 128, 255, 255]);
  if (/[_/\\]orm\.[a-z]+$/i.test(path)) return byPlace(1, () => [255, 255, 0, 0]);
  if (/(_emissive|environmentmap|black32)\.[a-z]+$/i.test(path)) return byPlace(1, () => [0, 0, 0, 255]);
  return onlyParticles ? disc() : checker();
}

const add = (a, b, scale) => a.map((value, axis) => value + b[axis] * scale);

async function viewerPicture(canvas, index, job, bytes) {
  const { viewer, parsers } = window.ModelViewer;
  const shown = new viewer.ModelViewer(canvas, { alpha: false, antialias: true });
  const missing = new Set();
  const errors = [];
  shown.on('error', (event) => errors.push(event.error));
  const parsed = new parsers.mdlx.Model();
  try {
    parsed.load(bytes);
  } catch (error) {
    errors.push(error.message);
  }
  const inLayers = new Set(parsed.materials.flatMap((material) => material.layers.map((layer) => layer.textureId)));
  const textures = new Map();
  for (const [at, { path }] of parsed.textures.entries()) {
    if (!path || textures.has(path)) continue;
    const found = await bytesOf(`texture?job=${index}&path=${encodeURIComponent(path)}`);
    if (!found) {
      if (!isTeam(path)) missing.add(path);
      textures.set(path, standIn(path, !inLayers.has(at)));
    } else if (isBlp(found)) {
      // Some files have crops instead of smaller pictures, so only the first level is used.
      const image = new parsers.blp.Image();
      image.load(found);
      textures.set(path, powerOfTwo(image.getMipmap(0)));
    } else {
      textures.set(path, found);
    }
  }
  const solver = (source) => {
    if (typeof source !== 'string') return source;
    return textures.get(source) ?? (isTeam(source) ? standIn(source, false) : undefined);
  };
  for (const handler of ['mdx', 'blp', 'dds', 'tga']) shown.addHandler(viewer.handlers[handler], solver);
  const model = await shown.load(bytes, solver);
  await shown.whenAllLoaded();
  await new Promise((resolve) => setTimeout(resolve, 50));
  if (!model || (errors.length && !model.geosets.length)) throw new Error(errors.join('; ') || 'not loaded');
  const scene = shown.addScene();
  scene.color.fill(BACKGROUND / 255);
  const { camera } = job;
  scene.camera.perspective(camera.field_of_view * Math.PI / 180, canvas.width / canvas.height, camera.near, camera.far);
  scene.camera.moveToAndFace(camera.eye, add(camera.eye, camera.forward, 100), camera.up);
  const instance = model.addInstance();
  // Extents in files are often wrong, and what is in the picture is known.
  instance.isVisible = () => true;
  instance.depth = 0;
  instance.setScene(scene);
  instance.setTeamColor(0);
  const sequence = model.sequences.findIndex((it) => it.name === job.sequence);
  if (sequence >= 0) instance.setSequence(sequence);
  seed();
  const total = job.clock * 1000;
  const steps = Math.max(1, Math.round(total / STEP));
  for (let step = 0; step < steps; step += 1) shown.update(total / steps);
  shown.startFrame();
  shown.render();
  return { picture: canvas.toDataURL('image/png'), missing: [...missing] };
}

function perspective(camera, aspect) {
  const f = 1 / Math.tan(camera.field_of_view * Math.PI / 360);
  const { near, far } = camera;
  return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

function lookAt(camera) {
  const back = camera.forward.map((value) => -value);
  const right = cross(camera.forward, camera.up);
  const { up, eye } = camera;
  return new Float32Array([right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1]);
}

// The rotation that maps the axes x, y, z to these.
function quaternion(x, y, z) {
  const trace = x[0] + y[1] + z[2];
  const w = Math.sqrt(Math.max(0, 1 + trace)) / 2;
  const sign = (value, of) => of < 0 ? -value : value;
  return new Float32Array([
    sign(Math.sqrt(Math.max(0, 1 + x[0] - y[1] - z[2])) / 2, y[2] - z[1]),
    sign(Math.sqrt(Math.max(0, 1 - x[0] + y[1] - z[2])) / 2, z[0] - x[2]),
    sign(Math.sqrt(Math.max(0, 1 - x[0] - y[1] + z[2])) / 2, x[1] - y[0]),
    w,
  ]);
}

async function war3Picture(canvas, index, job, bytes) {
  const library = window.war3model;
  const model = library.parseMDX(bytes.buffer);
  const renderer = new library.ModelRenderer(model);
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: true, depth: true });
  renderer.initGL(gl);
  const missing = [];
  const inLayers = new Set(model.Materials.flatMap((material) => material.Layers.map((layer) => layer.TextureID)));
  for (const [at, texture] of model.Textures.entries()) {
    if (!texture.Image) continue;
    const found = await bytesOf(`texture?job=${index}&path=${encodeURIComponent(texture.Image)}`);
    let image;
    if (found && isBlp(found)) {
      image = library.getBLPImageData(library.decodeBLP(found.buffer), 0);
    } else {
      if (found) throw new Error('DDS');
      if (!isTeam(texture.Image)) missing.push(texture.Image);
      image = standIn(texture.Image, !inLayers.has(at));
    }
    renderer.setTextureImageData(texture.Image, [new ImageData(new Uint8ClampedArray(image.data), image.width, image.height)]);
  }
  renderer.setTeamColor(new Float32Array(TEAM.map((channel) => channel / 255)));
  const { camera } = job;
  const back = camera.forward.map((value) => -value);
  renderer.setCamera(new Float32Array(camera.eye), quaternion(back, cross(camera.forward, camera.up), camera.up));
  renderer.setLightPosition(new Float32Array(camera.eye));
  const sequence = model.Sequences.findIndex((it) => it.Name === job.sequence);
  if (sequence >= 0) renderer.setSequence(sequence);
  seed();
  const total = job.clock * 1000;
  const steps = Math.max(1, Math.round(total / STEP));
  for (let step = 0; step < steps; step += 1) renderer.update(total / steps);
  const grey = BACKGROUND / 255;
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(grey, grey, grey, 1);
  gl.depthMask(true);
  gl.enable(gl.DEPTH_TEST);
  gl.depthFunc(gl.LEQUAL);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  renderer.render(lookAt(camera), perspective(camera, canvas.width / canvas.height), { wireframe: false });
  return { picture: canvas.toDataURL('image/png'), missing };
}

async function imageOf(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

async function pixelsOf(url, width, height) {
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.drawImage(await imageOf(url), 0, 0);
  return pen.getImageData(0, 0, width, height).data;
}

const shows = (pixels, at) => [0, 1, 2].some((channel) => Math.abs(pixels[at + channel] - BACKGROUND) > 6);

function compare(ours, theirs) {
  let sum = 0;
  let both = 0;
  let either = 0;
  for (let at = 0; at < ours.length; at += 4) {
    for (let channel = 0; channel < 3; channel += 1) sum += Math.abs(ours[at + channel] - theirs[at + channel]);
    const [left, right] = [shows(ours, at), shows(theirs, at)];
    both += left && right ? 1 : 0;
    either += left || right ? 1 : 0;
  }
  return { mean: sum / (ours.length / 4 * 3), overlap: either ? both / either : 1 };
}

const DRAW = { 'mdx-m3-viewer': viewerPicture, 'war3-model': war3Picture };

window.drawAll = async (index, job) => {
  const bytes = await bytesOf(`model?job=${index}`);
  const ours = await pixelsOf(`ours?job=${index}`, job.width, job.height);
  const result = {};
  for (const [name, draw] of Object.entries(DRAW)) {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [job.width, job.height];
    try {
      const drawn = await draw(canvas, index, job, bytes.slice());
      result[name] = { ...drawn, ...compare(ours, await pixelsOf(drawn.picture, job.width, job.height)) };
    } catch (error) {
      result[name] = { error: `not drawn (${error.message.slice(0, 40)})` };
    }
  }
  return result;
};

async function difference(ours, theirs) {
  const side = TILE;
  const pixels = async (url) => {
    const canvas = new OffscreenCanvas(side, side);
    const pen = canvas.getContext('2d');
    pen.drawImage(await imageOf(url), 0, 0, side, side);
    return pen.getImageData(0, 0, side, side);
  };
  const [left, right] = [await pixels(ours), await pixels(theirs)];
  for (let at = 0; at < left.data.length; at += 4) {
    for (let channel = 0; channel < 3; channel += 1) {
      left.data[at + channel] = Math.abs(left.data[at + channel] - right.data[at + channel]) * 2;
    }
  }
  return left;
}

// One row per model: ours, then picture and difference (twice as bright as it is) for each viewer.
window.sheet = async (rows, viewers) => {
  const canvas = document.createElement('canvas');
  canvas.width = (1 + 2 * viewers.length) * (TILE + 4);
  canvas.height = rows.length * (TILE + CAPTION);
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#111';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.font = '13px sans-serif';
  for (const [number, row] of rows.entries()) {
    const top = number * (TILE + CAPTION);
    const text = (words, column) => {
      pen.fillStyle = '#eee';
      pen.fillText(words, column * (TILE + 4) + 2, top + 13, TILE - 4);
    };
    const ours = `ours?job=${row.job}`;
    text(`${row.name.split('/').pop()}  ${row.sequence} ${row.time.toFixed(2)}s`, 0);
    pen.drawImage(await imageOf(ours), 0, top + CAPTION, TILE, TILE);
    for (const [at, viewer] of viewers.entries()) {
      const { picture, error, mean, overlap } = row.viewers[viewer];
      const column = 1 + 2 * at;
      if (!picture) {
        text(`${viewer}: ${error}`, column);
        continue;
      }
      text(viewer, column);
      pen.drawImage(await imageOf(picture), column * (TILE + 4), top + CAPTION, TILE, TILE);
      text(`difference ${mean.toFixed(2)}, overlap ${overlap.toFixed(3)}`, column + 1);
      pen.putImageData(await difference(ours, picture), (column + 1) * (TILE + 4), top + CAPTION);
    }
  }
  return canvas.toDataURL('image/png');
};

window.ready = true;
