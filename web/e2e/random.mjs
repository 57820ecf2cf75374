// Random use of the page: clicks, keys, drags, scrubbing, drops of models, archives, textures and damaged files, exports.
//
// It fails on a message of a viewer that has stopped, an error in JavaScript, a page that does not answer, and memory that
// grows. The seed decides what is done; what that meets also depends on how fast the page is. Each step is a line of the log
// in --out.
import { appendFileSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { PATIENCE, Tab } from './browser.mjs';

const MODEL = /\.(mdx|mdl|m2|mdc|md3|mds|glb)$/i;
const ARCHIVE = /\.(w3x|w3m|w3n|mpq|pk3|zip)$/i;
const TEXTURE = /\.(blp|dds|tga|png|jpe?g)$/i;
// Larger archives take a minute to unpack in software, and show nothing else.
const LARGEST = 12e6;
const KEYS = ['Enter', '1', '3', '7', '9', '0', '5', 'c', 'g', 'e', 'b', 'a', 'x', 'm', 'n', 'k', 't', 'd', 'p', 'Space', ',', '.', 'w', 'Shift+W',
  'l', '-', '+', 'h', 'ArrowLeft', 'ArrowRight', 'F5', 'F12', 'Control+e', 'Control+o', 'Control+Shift+O', 'Control+q', 'Escape', 'Tab', 'Backspace', 'Control+a'];
const COMMANDS = ['Open the sample', 'Next file', 'Previous file', 'Reload', 'Export', 'Fit', 'Model camera', 'Orthographic', 'Panels', 'Play or pause',
  'Next sequence', 'Picture', 'Animation', 'Turntable', 'Contact sheet', 'Edges', 'Bones', 'Normals', 'Light or dark'];
const LINKS = ['anim=Walk&time=0.5', 'time=1e30', 'time=-5&play=no', 'view=1,0.2,400,0,0,50', 'view=NaN,inf,0,1e38,0,0', 'camera=4000000000', 'ortho=yes',
  'team=99999&overlays=bones,grid,nothing', 'panels=yes&background=#12', 'panels=no', 'panels=yes', '%%%=&=&&', 'play=yes'];
const TARGETS = ['glb', 'gltf', 'mdx:800', 'mdx:1000', 'mdl:900', 'm2:264', 'mdc', 'md3', 'nothing'];

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = (list, number) => list[Math.min(list.length - 1, Math.floor(number * list.length))];

function filesBelow(folder) {
  const inside = readdirSync(folder, { withFileTypes: true }).map((one) => [join(folder, one.name), one.isDirectory()]);
  return inside.flatMap(([path, isFolder]) => (isFolder ? filesBelow(path) : [path])).sort();
}

/** What can be dropped. */
function pool({ folders, out }) {
  const all = folders.flatMap(filesBelow).filter((path) => statSync(path).size < LARGEST);
  const size = (path) => statSync(path).size;
  const archives = all.filter((path) => ARCHIVE.test(path));
  return {
    models: all.filter((path) => MODEL.test(path)),
    archives,
    // As many as the viewer keeps.
    largest: [...archives].sort((a, b) => size(b) - size(a)).slice(0, 8),
    textures: all.filter((path) => TEXTURE.test(path)),
    scratch: join(out, 'random'),
  };
}

class Walk {
  constructor(tab, files, next, log) {
    Object.assign(this, { tab, files, next, log, drops: 0, steps: 0, download: 0 });
    tab.page.on('download', (download) => {
      this.download += 1;
      download.delete().catch(() => {});
    });
    tab.page.on('filechooser', (chooser) => chooser.setFiles(pick(this.files.models, 0.5)).catch(() => {}));
  }

  /** Fails where the page does not answer, has stopped, or has reported an error. */
  async look() {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the page has not answered for ${PATIENCE / 1000} s`)), PATIENCE);
    });
    const fault = await Promise.race([late, this.tab.fault()]).finally(() => clearTimeout(timer));
    if (fault !== null) throw new Error(`the viewer has stopped: ${fault}`);
    if (this.tab.faults.length > 0) throw new Error(`errors: ${this.tab.faults.join('\n')}`);
  }

  /** Drops files and waits until the page has read them. */
  async drop(...paths) {
    this.drops += 1;
    this.log(`drop ${paths[0]} ...`);
    await this.tab.page.evaluate((most) => {
      const viewer = document.querySelector('effigy-viewer');
      globalThis.opened = new Promise((resolve) => {
        for (const name of ['load', 'error', 'fatal']) viewer.addEventListener(name, () => resolve(), { once: true });
        setTimeout(resolve, most);
      });
    }, PATIENCE);
    await this.tab.drop(...paths);
    await this.tab.page.evaluate(() => globalThis.opened);
    await this.tab.frames(2);
    await this.look();
  }

  /** MiB of the module's memory and of JavaScript's objects. */
  async memory() {
    const session = await this.tab.page.context().newCDPSession(this.tab.page);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('Performance.enable');
    const { metrics } = await session.send('Performance.getMetrics');
    await session.detach();
    const bytes = await this.tab.page.evaluate(async () => {
      const { load } = await import('./effigy.js');
      return (await load()).memory.buffer.byteLength;
    });
    const objects = metrics.find((one) => one.name === 'JSHeapUsedSize').value;
    return { module: Math.round(bytes / 2 ** 20), objects: Math.round(objects / 2 ** 20) };
  }

  /** Opens everything that needs much memory once. */
  async warmUp() {
    for (const path of this.files.largest) await this.drop(path);
    for (const path of this.files.models.filter((path) => this.files.hostile(path))) {
      await this.drop(path);
      await this.tab.viewer((viewer) => { try { viewer.toGlb(); } catch { /* It is refused, which is right. */ } });
      await this.look();
    }
  }

  /** The steps, with how often each is taken. Each takes four numbers, so that the seed decides all of them. */
  static STEPS = [
    [8, 'click', async (walk, a, b) => {
      const widgets = (await walk.tab.viewer((viewer) => viewer.widgets)).filter(({ rect }) => rect[0] >= 0 && rect[1] >= 0);
      const found = pick(widgets, a);
      if (!found) return 'nothing';
      const [left, top, right, bottom] = found.rect;
      const button = b < 0.85 ? 'left' : 'right';
      await walk.tab.page.mouse.click((left + right) / 2, (top + bottom) / 2, { button, clickCount: b < 0.1 ? 2 : 1 });
      return `${found.role} ${found.label.slice(0, 40)}`;
    }],
    [6, 'key', async (walk, a) => {
      await walk.tab.page.keyboard.press(pick(KEYS, a));
      return pick(KEYS, a);
    }],
    [5, 'drag', async (walk, a, b, c, d) => {
      const { width, height } = walk.tab.page.viewportSize();
      const button = c < 0.6 ? 'left' : c < 0.8 ? 'middle' : 'right';
      const { mouse, keyboard } = walk.tab.page;
      if (d < 0.3) await keyboard.down('Shift');
      await mouse.move(a * width, b * height);
      await mouse.down({ button });
      await mouse.move(c * width, d * height, { steps: 4 });
      await mouse.up({ button });
      if (d < 0.3) await keyboard.up('Shift');
      return `${button} ${[a, b, c, d].map((number) => number.toFixed(2))}`;
    }],
    [4, 'scrub', async (walk, a, b, c) => {
      // The scrubber has the lowest part of the page, above the status.
      const { width, height } = walk.tab.page.viewportSize();
      const y = height - 30 - c * 30;
      await walk.tab.page.mouse.move(a * width, y);
      await walk.tab.page.mouse.down();
      await walk.tab.page.mouse.move(b * width, y, { steps: 8 });
      await walk.tab.page.mouse.up();
      return `${a.toFixed(2)} to ${b.toFixed(2)}`;
    }],
    [3, 'wheel', async (walk, a, b, c) => {
      const { width, height } = walk.tab.page.viewportSize();
      await walk.tab.page.mouse.move(a * width, b * height);
      await walk.tab.page.mouse.wheel(0, (c - 0.5) * 2000);
      return ((c - 0.5) * 2000).toFixed(0);
    }],
    [5, 'model', async (walk, a) => {
      await walk.drop(pick(walk.files.models, a));
      return pick(walk.files.models, a);
    }],
    [1, 'folder', async (walk, a) => {
      const folder = dirname(pick(walk.files.models, a));
      const some = readdirSync(folder).map((name) => join(folder, name)).filter((path) => statSync(path).isFile()).slice(0, 40);
      await walk.drop(...some);
      return `${folder}, ${some.length} files`;
    }],
    [1, 'archive', async (walk, a) => {
      await walk.drop(pick(walk.files.archives, a));
      return pick(walk.files.archives, a);
    }],
    [1, 'texture', async (walk, a) => {
      await walk.drop(pick(walk.files.textures, a));
      return pick(walk.files.textures, a);
    }],
    [3, 'damaged', async (walk, a, b, c, d) => {
      const path = pick(walk.files.models, a);
      let bytes = readFileSync(path);
      const own = numbers(Math.floor(b * 2 ** 32));
      const changes = 1 + Math.floor(c * 20);
      for (let at = 0; at < changes && bytes.length > 0; at += 1) bytes[Math.floor(own() * bytes.length)] = Math.floor(own() * 256);
      if (d < 0.2) bytes = bytes.subarray(0, Math.floor(own() * bytes.length));
      const damaged = join(walk.files.scratch, `damaged${extname(path)}`);
      writeFileSync(damaged, bytes);
      await walk.drop(damaged);
      return `${path}, ${changes} bytes`;
    }],
    [2, 'command', async (walk, a) => {
      await walk.tab.viewer((viewer, name) => viewer.run(name), pick(COMMANDS, a));
      return pick(COMMANDS, a);
    }],
    [1, 'export', async (walk, a, b) => {
      await walk.tab.viewer((viewer) => viewer.run('Export'));
      await walk.tab.frames(3);
      for (const label of [b < 0.5 ? /^glb|gltf|mdx|mdl|m2|mdc/i : /^Convert$/, /^Convert$/, /^Save as/]) {
        const widgets = await walk.tab.viewer((viewer) => viewer.widgets);
        const found = pick(widgets.filter((one) => label.test(one.label)), a);
        if (!found) continue;
        const [left, top, right, bottom] = found.rect;
        await walk.tab.page.mouse.click((left + right) / 2, (top + bottom) / 2);
        await walk.tab.frames(3);
      }
      return `${walk.download} downloads so far`;
    }],
    [1, 'convert', async (walk, a) => walk.tab.viewer((viewer, target) => {
      try {
        return `${target}: ${viewer.convert(target).length} bytes`;
      } catch (error) {
        // A refusal is right, a fault is not.
        if (error instanceof WebAssembly.RuntimeError) throw error;
        return `${target}: ${error.message.slice(0, 80)}`;
      }
    }, pick(TARGETS, a))],
    [1, 'link', async (walk, a) => {
      await walk.tab.viewer((viewer, link) => { viewer.link = link; }, pick(LINKS, a));
      return pick(LINKS, a);
    }],
    [1, 'type', async (walk, a) => {
      const text = pick(['bone', 'mdx', 'ß', '  ', '中文', 'zzzz'], a);
      await walk.tab.page.keyboard.type(text);
      return text;
    }],
    [1, 'size', async (walk, a, b) => {
      const size = { width: 320 + Math.floor(a * 700), height: 240 + Math.floor(b * 460) };
      await walk.tab.page.setViewportSize(size);
      return `${size.width}x${size.height}`;
    }],
  ];

  async step() {
    const [which, ...four] = [this.next(), this.next(), this.next(), this.next(), this.next()];
    let left = which * Walk.STEPS.reduce((sum, [share]) => sum + share, 0);
    const [, name, run] = Walk.STEPS.find(([share]) => (left -= share) < 0) ?? Walk.STEPS[0];
    this.steps += 1;
    this.log(`${this.steps} ${name} ...`);
    this.log(`${this.steps} ${name} ${await run(this, ...four)}`);
    await this.look();
    // A model may be broken in a way that only a frame shows.
    await this.tab.frames(1);
  }
}

/** Uses the page for so many minutes, half of them with WebGPU and half with WebGL 2. Returns a line for each. */
export async function random({ context, address, out, folders, hostile }, minutes, seed) {
  const files = { ...pool({ folders, out }), hostile: (path) => hostile !== undefined && path.startsWith(hostile) };
  mkdirSync(files.scratch, { recursive: true });
  const lines = [];
  for (const hideGpu of [false, true]) {
    const name = hideGpu ? 'webgl' : 'webgpu';
    const path = join(out, `random-${name}-${seed}.log`);
    writeFileSync(path, '');
    const begin = Date.now();
    const log = (line) => appendFileSync(path, `${((Date.now() - begin) / 1000).toFixed(1)} ${line}\n`);
    const tab = await Tab.open(context, address, { hideGpu });
    const walk = new Walk(tab, files, numbers(seed), log);
    try {
      await walk.warmUp();
      const before = await walk.memory();
      log(`warm: ${JSON.stringify(before)}`);
      const start = Date.now();
      let minute = 0;
      while (Date.now() - start < (minutes / 2) * 60_000) {
        await walk.step();
        if (Math.floor((Date.now() - start) / 60_000) > minute) {
          minute += 1;
          log(`memory: ${JSON.stringify(await walk.memory())}`);
        }
      }
      // The module's memory never shrinks: it is the most that was ever needed. Opening the largest files again needs no more
      // than it did at first, unless something was kept in between. A quarter more may come from gaps in the memory, and from
      // an export of a large model while the largest archives are held.
      await walk.warmUp();
      const after = await walk.memory();
      log(`end: ${JSON.stringify(after)}`);
      const line = `${name}: ${walk.steps} steps, ${walk.drops} drops, ${walk.download} downloads; MiB after the warm-up ${JSON.stringify(before)}, at the end ${JSON.stringify(after)}`;
      if (after.module > before.module * 1.25 + 32 || after.objects > before.objects * 1.25 + 16) throw new Error(`memory grows: ${line}`);
      lines.push(line);
    } catch (error) {
      const last = readFileSync(path, 'utf8').trim().split('\n').slice(-12).join('\n');
      throw new Error(`${name}, seed ${seed}: ${error.message}\nthe last steps (all are in ${basename(path)}):\n${last}`);
    } finally {
      await tab.close();
    }
  }
  return lines;
}
