// In the browser: opens a .glb in three.js and compares its poses with those of our sampler.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// The area of a hidden mesh, as a share of the square of the model's size, from which on it is seen.
const LEAST_AREA = 1e-5;

async function fetched(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response;
}

export async function load(name) {
  const bytes = await (await fetched(`/file/${encodeURIComponent(`${name}.glb`)}`)).arrayBuffer();
  const gltf = await new GLTFLoader().parseAsync(bytes, '');
  // Names in three.js lose some characters; those of the file are found by the number of the node.
  const meshes = new Map();
  gltf.scene.traverse((object) => {
    const node = gltf.parser.associations.get(object)?.nodes;
    if (object.isMesh && node !== undefined) meshes.set(gltf.parser.json.nodes[node].name, object);
  });
  return { gltf, meshes };
}

// Numbers of the vertices that triangles use, ascending.
function used(mesh) {
  if (!mesh.userData.used) {
    const seen = new Uint8Array(mesh.geometry.attributes.position.count);
    for (const index of mesh.geometry.index.array) seen[index] = 1;
    mesh.userData.used = [...seen.keys()].filter((index) => seen[index]);
  }
  return mesh.userData.used;
}

const point = new THREE.Vector3();
// The position of a vertex in the game's axes: Z of the file is the front (x of the game), X its left side, Y is up.
function vertex(mesh, index) {
  mesh.getVertexPosition(index, point).applyMatrix4(mesh.matrixWorld);
  return [point.z, point.x, point.y];
}

function farthest(mesh, wanted, first, count) {
  const indices = used(mesh);
  if (indices.length !== count) throw new Error(`${mesh.name}: ${indices.length} vertices, not ${count}`);
  let worst = 0;
  for (let at = 0; at < count; at += 1) {
    const have = vertex(mesh, indices[at]);
    for (let axis = 0; axis < 3; axis += 1) {
      const off = Math.abs(have[axis] - wanted[3 * (first + at) + axis]);
      if (!(off <= worst)) worst = Number.isFinite(off) ? off : Infinity;
    }
  }
  return worst;
}

// The area of all triangles.
function area(mesh) {
  const points = [];
  for (const index of used(mesh)) {
    vertex(mesh, index);
    points[index] = point.clone();
  }
  const indices = mesh.geometry.index.array;
  let sum = 0;
  for (let at = 0; at + 2 < indices.length; at += 3) {
    sum += new THREE.Triangle(...[0, 1, 2].map((corner) => points[indices[at + corner]])).getArea();
  }
  return sum;
}

// Shows the model at a time of an animation, in seconds; without a name it rests.
export function pose({ gltf }, mixer, animation, time) {
  mixer.stopAllAction();
  const clip = animation === null ? undefined : gltf.animations.find((it) => it.name === animation);
  if (animation !== null && !clip) throw new Error(`there is no animation '${animation}'`);
  if (clip) {
    const action = mixer.clipAction(clip);
    action.setLoop(THREE.LoopOnce, 1);
    action.clampWhenFinished = true;
    action.play();
    // Times of keys are single precision: a time on a key is on it.
    mixer.setTime(Math.fround(time));
  }
  gltf.scene.updateMatrixWorld(true);
}

// Meshes of a file of another program, by the number of the node and then of the primitive: the order of the scene's meshes.
function inOrder(gltf) {
  const list = [];
  gltf.scene.traverse((object) => {
    if (!object.isMesh) return;
    const own = gltf.parser.associations.get(object) ?? {};
    const above = gltf.parser.associations.get(object.parent) ?? {};
    list.push({ node: own.nodes ?? above.nodes, primitive: own.primitives ?? 0, mesh: object });
  });
  list.sort((a, b) => a.node - b.node || a.primitive - b.primitive);
  return list.map((it) => it.mesh);
}

// The largest distance of a corner. Triangles of mirrored nodes are turned over in our scene.
function corners(mesh, wanted, first, count) {
  const indices = mesh.geometry.index?.array ?? [...Array(mesh.geometry.attributes.position.count).keys()];
  if (indices.length !== count) throw new Error(`${mesh.name}: ${indices.length} corners, not ${count}`);
  const off = (corner, at) => {
    const have = vertex(mesh, indices[corner]);
    const distance = Math.max(...have.map((value, axis) => Math.abs(value - wanted[3 * (first + at) + axis])));
    return Number.isFinite(distance) ? distance : Infinity;
  };
  let worst = 0;
  for (let at = 0; at + 2 < count; at += 3) {
    const straight = Math.max(off(at, at), off(at + 1, at + 1), off(at + 2, at + 2));
    if (straight <= worst) continue;
    worst = Math.max(worst, Math.min(straight, Math.max(off(at, at + 2), off(at + 1, at + 1), off(at + 2, at))));
  }
  return worst;
}

// Opens a file of another program and compares its poses with those of our sampler.
window.compareInput = async (name) => {
  const expected = await (await fetched(`/file/${encodeURIComponent(`${name}.json`)}`)).json();
  const wanted = new Float32Array(await (await fetched(`/file/${encodeURIComponent(`${name}.pos`)}`)).arrayBuffer());
  const gltf = await new GLTFLoader().loadAsync(`/input/${expected.path.split('/').map(encodeURIComponent).join('/')}`);
  const meshes = inOrder(gltf);
  const mixer = new THREE.AnimationMixer(gltf.scene);
  const result = { name: expected.path, off: 0, where: '', poses: 0, vertices: 0 };
  for (const { animation, times } of expected.sequences) {
    mixer.stopAllAction();
    mixer.uncacheRoot(gltf.scene);
    const action = mixer.clipAction(gltf.animations[animation]);
    action.setLoop(THREE.LoopOnce, 1);
    action.clampWhenFinished = true;
    for (const { time, first: begin, counts } of times) {
      action.reset().play();
      mixer.setTime(time);
      gltf.scene.updateMatrixWorld(true);
      if (meshes.length !== counts.length) throw new Error(`${meshes.length} meshes, not ${counts.length}`);
      let first = begin;
      for (const [number, count] of counts.entries()) {
        const off = corners(meshes[number], wanted, first, count) / expected.size;
        if (off > result.off) Object.assign(result, { off, where: `animation ${animation} at ${time} s, mesh ${number}` });
        first += count;
        result.vertices += count;
      }
      result.poses += 1;
    }
  }
  return result;
};

window.compare = async (name, poses) => {
  const model = await load(name);
  const result = { name };
  if (!poses) return result;
  const expected = await (await fetched(`/file/${encodeURIComponent(`${name}.json`)}`)).json();
  const wanted = new Float32Array(await (await fetched(`/file/${encodeURIComponent(`${name}.pos`)}`)).arrayBuffer());
  const size = expected.size || 1;
  const mixer = new THREE.AnimationMixer(model.gltf.scene);
  Object.assign(result, { off: 0, where: '', seen: [] });
  let vertices = 0;
  for (const sequence of expected.sequences) {
    for (const entry of sequence.times) {
      pose(model, mixer, sequence.animation, entry.time / 1000);
      const place = `${sequence.name} at ${entry.time} ms`;
      for (const { node, first, count } of entry.meshes) {
        const mesh = model.meshes.get(node);
        if (count === 0) continue;
        if (!mesh) throw new Error(`there is no mesh at the node '${node}'`);
        vertices += count;
        const off = farthest(mesh, wanted, first, count) / size;
        if (off > result.off) Object.assign(result, { off, where: `${place}, ${node}` });
      }
      for (const node of entry.hidden) {
        const mesh = model.meshes.get(node);
        const share = mesh ? area(mesh) / size ** 2 : 0;
        if (share > LEAST_AREA) result.seen.push(`${node} in ${place} (${share.toExponential(1)})`);
      }
    }
  }
  if (!Number.isFinite(result.off)) result.off = 1e30;
  // A model without meshes has no pose to compare.
  if (vertices === 0) delete result.off;
  return result;
};

// Pictures: the .glb as three.js draws it, from the camera of `effigy render`.

const TILE = 320;
const CAPTION = 18;
const BACKGROUND = 0x404040;
// x, y, z of the game are z, x, y of the file.
const place = ([x, y, z]) => new THREE.Vector3(y, z, x);

let renderer;

// Draws a model at a time of a sequence and returns the picture as a data URL.
window.draw = async (name, job, size) => {
  renderer ??= new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(size, size, false);
  const model = await load(name);
  const { scene, animations } = model.gltf;
  const names = animations.map((it) => it.name);
  pose(model, new THREE.AnimationMixer(scene), names.includes(job.sequence) ? job.sequence : null, job.time);
  const stage = new THREE.Scene();
  stage.background = new THREE.Color(BACKGROUND);
  const { eye, forward, up, field_of_view: angle, near, far } = job.camera;
  const camera = new THREE.PerspectiveCamera(angle, 1, near, far);
  camera.position.copy(place(eye));
  camera.up.copy(place(up));
  camera.lookAt(place(eye).addScaledVector(place(forward), 100));
  const sun = new THREE.DirectionalLight(0xffffff, 1.8);
  sun.position.copy(place(eye)).addScaledVector(place(up), place(eye).length() * 0.5);
  stage.add(scene, sun, new THREE.AmbientLight(0xffffff, 1.8));
  // Skinned meshes move far from the bounds that three.js computes once.
  scene.traverse((it) => { it.frustumCulled = false; });
  renderer.render(stage, camera);
  const picture = renderer.domElement.toDataURL('image/png');
  renderer.renderLists.dispose();
  scene.traverse((it) => it.geometry?.dispose());
  return picture;
};

async function bitmap(url) {
  return createImageBitmap(await (await fetch(url)).blob());
}

// A contact sheet: pairs of pictures, ours on the left.
window.sheet = async (pairs, columns) => {
  const rows = Math.ceil(pairs.length / columns);
  const canvas = new OffscreenCanvas(columns * (2 * TILE + 8), rows * (TILE + CAPTION));
  const context = canvas.getContext('2d');
  context.fillStyle = '#202020';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = '12px sans-serif';
  for (const [index, { caption, ours, theirs }] of pairs.entries()) {
    const [x, y] = [(index % columns) * (2 * TILE + 8), Math.floor(index / columns) * (TILE + CAPTION)];
    context.fillStyle = '#ffffff';
    context.fillText(caption, x + 4, y + 13, 2 * TILE - 8);
    context.drawImage(await bitmap(ours), x, y + CAPTION, TILE, TILE);
    if (theirs) context.drawImage(await bitmap(theirs), x + TILE, y + CAPTION, TILE, TILE);
  }
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};

window.ready = true;
