// Numbers of the page: size, time to the first frame, time from a drop to the picture, memory.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Tab } from './browser.mjs';

const RUNS = 3;
const middle = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

export async function measure({ context, address, large, out }, site) {
  const files = readdirSync(site).filter((name) => /\.(wasm|js|html|svg|webmanifest)$/.test(name));
  const gzip = Object.fromEntries(files.map((name) => [name, gzipSync(readFileSync(join(site, name)), { level: 9 }).length]));
  const numbers = {
    'gzip of the whole page, bytes': Object.values(gzip).reduce((sum, size) => sum + size, 0),
    'gzip of the module, bytes': gzip['effigy_web_bg.wasm'],
    'module, bytes': statSync(join(site, 'effigy_web_bg.wasm')).size,
  };
  for (const hideGpu of [false, true]) {
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
        numbers[`${name}: WebAssembly memory with a model, MiB`] = await tab.page.evaluate(async () => {
          const { load } = await import('./effigy.js');
          return (await load()).memory.buffer.byteLength / 2 ** 20;
        });
        const begin = await tab.page.evaluate(() => [performance.now(), document.querySelector('effigy-viewer').status.pictures]);
        await tab.page.waitForTimeout(4000);
        const end = await tab.page.evaluate(() => [performance.now(), document.querySelector('effigy-viewer').status.pictures]);
        numbers[`${name}: pictures a second`] = ((end[1] - begin[1]) * 1000) / (end[0] - begin[0]);
        await tab.viewer((viewer) => viewer.run('Play or pause'));
        await tab.frames(5);
        await tab.page.waitForTimeout(500);
        const { frames } = await tab.status();
        await tab.page.waitForTimeout(2000);
        numbers[`${name}: frames in 2 s while paused`] = (await tab.status()).frames - frames;
      }
      await tab.close();
    }
    numbers[`${name}: navigation to first frame, ms (median of ${RUNS})`] = Math.round(middle(first));
    numbers[`${name}: click on the sample to picture, ms`] = Math.round(middle(sample));
    numbers[`${name}: file of ${statSync(large).size} bytes to picture, ms`] = Math.round(middle(drop));
  }
  writeFileSync(join(out, 'measured.json'), JSON.stringify(numbers, null, 2));
  return numbers;
}
