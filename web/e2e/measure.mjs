// Numbers of the page next to its goals: size, time to the first frame, time from a drop to the picture, memory.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Tab } from './browser.mjs';

const RUNS = 3;
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** One row of the table: `goal` is the most that it should be. Times depend on the machine, so only `hard` goals must be met. */
class Table {
  rows = [];

  add(name, value, unit, goal, hard = false) {
    const missed = goal !== undefined && value > goal;
    this.rows.push({ name, value, unit, goal, hard, missed });
    const side = goal === undefined ? '' : `   (at most ${goal}${missed ? ': MISSED' : ''})`;
    console.log(`${name.padEnd(52)} ${value} ${unit}${side}`);
  }
}

// What a visitor downloads for the first picture, as a web server sends it.
function sizes(table, site) {
  const files = readdirSync(site).filter((name) => /\.(wasm|js|html|svg|webmanifest)$/.test(name));
  const gzip = (name) => gzipSync(readFileSync(join(site, name)), { level: 9 }).length;
  const megabytes = (bytes) => Number((bytes / 1e6).toFixed(3));
  for (const name of files) table.add(`gzip of ${name}`, megabytes(gzip(name)), 'MB');
  table.add('gzip of all files', megabytes(files.reduce((sum, name) => sum + gzip(name), 0)), 'MB', 3.0, true);
}

async function still(tab) {
  await tab.viewer((viewer) => viewer.run('Play or pause'));
  await tab.frames(5);
  await tab.page.waitForTimeout(500);
  const { frames } = await tab.status();
  await tab.page.waitForTimeout(2000);
  return (await tab.status()).frames - frames;
}

const count = (tab) => tab.page.evaluate(() => [performance.now(), document.querySelector('effigy-viewer').status.pictures]);

async function graphics(table, { context, address, large }, hideGpu) {
  const name = hideGpu ? 'WebGL 2' : 'WebGPU';
  const [first, sample, drop] = [[], [], []];
  for (let run = 0; run < RUNS; run += 1) {
    const tab = await Tab.open(context, address, { hideGpu });
    await tab.frames(1);
    // Since the navigation began.
    first.push(await tab.page.evaluate(() => performance.now()));
    sample.push(await tab.viewer(async (viewer) => {
      const begin = performance.now();
      viewer.run('Open the sample');
      while (viewer.status.pictures === 0) await new Promise(requestAnimationFrame);
      return performance.now() - begin;
    }));
    drop.push(await tab.viewer(async (viewer) => {
      const bytes = new Uint8Array(await (await fetch('files/large.mdx')).arrayBuffer());
      const before = viewer.status.pictures;
      const begin = performance.now();
      viewer.openFiles([{ name: 'model.mdx', bytes }]);
      while (viewer.status.pictures === before) await new Promise(requestAnimationFrame);
      return performance.now() - begin;
    }));
    if (run + 1 === RUNS) {
      const memory = await tab.page.evaluate(async () => {
        const { load } = await import('./effigy.js');
        return (await load()).memory.buffer.byteLength / 2 ** 20;
      });
      table.add(`${name}: memory of the module with a model`, Math.round(memory), 'MiB', 64 + Math.ceil(statSync(large).size / 2 ** 20), true);
      const begin = await count(tab);
      await tab.page.waitForTimeout(4000);
      const end = await count(tab);
      table.add(`${name}: pictures a second`, Math.round(((end[1] - begin[1]) * 1000) / (end[0] - begin[0])), '');
      table.add(`${name}: frames in 2 s while paused`, await still(tab), '', 0, true);
    }
    await tab.close();
  }
  table.add(`${name}: navigation to first frame (median of ${RUNS})`, Math.round(middle(first)), 'ms', hideGpu ? 3000 : 1500);
  table.add(`${name}: click on the sample to picture`, Math.round(middle(sample)), 'ms');
  table.add(`${name}: file of ${(statSync(large).size / 1e6).toFixed(2)} MB to picture`, Math.round(middle(drop)), 'ms', 300);
}

/** Prints the table, and fails where a goal that does not depend on the machine is missed. */
export async function measure(world, site) {
  const table = new Table();
  sizes(table, site);
  for (const hideGpu of [false, true]) await graphics(table, world, hideGpu);
  writeFileSync(join(world.out, 'measured.json'), JSON.stringify(table.rows, null, 2));
  const missed = table.rows.filter((row) => row.hard && row.missed);
  if (missed.length > 0) throw new Error(`too much: ${missed.map((row) => row.name).join(', ')}`);
}
