// Opens every .glb below a folder in three.js, in a headless browser, and compares poses with those of our sampler.
//
//   node clients.mjs CHROMIUM FOLDER RESULTS
//
// FOLDER holds NAME.glb and, where poses are compared, NAME.json and NAME.pos (export_models --expect). RESULTS gets a line of
// JSON per model: its name, the largest difference as a share of its size and where that is, meshes that are seen
// although the game hides them, and the error if it did not open.
import { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser, here } from './three-browser.mjs';

const [, , browserPath, folder, results] = process.argv;
// A new page after so many models, which frees their memory.
const MODELS_PER_PAGE = 40;
const LONGEST = 180_000;

const names = readdirSync(folder, { recursive: true }).map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.glb')).map((name) => name.slice(0, -4)).sort();

const { context, address, close } = await browser(browserPath, (path) => (path.startsWith('/file/') ? join(folder, path.slice(6)) : undefined), ['--disable-gpu']);

// A page that cannot be used any more (out of memory, too slow) is replaced; its model counts as not opened.
async function fresh(old) {
  await old?.close().catch(() => {});
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => window.ready === true);
  return page;
}

function limited(promise) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('it took too long')), LONGEST); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

try {
  writeFileSync(results, '');
  let page;
  for (const [index, name] of names.entries()) {
    if (!page || index % MODELS_PER_PAGE === 0) page = await fresh(page);
    let result;
    try {
      const poses = existsSync(join(folder, `${name}.json`));
      result = await limited(page.evaluate(([name, poses]) => window.compare(name, poses), [name, poses]));
    } catch (error) {
      result = { name, error: String(error.message ?? error).split('\n')[0] };
      page = await fresh(page);
    }
    appendFileSync(results, `${JSON.stringify(result)}\n`);
  }
  const version = JSON.parse(readFileSync(join(here, 'node_modules/three/package.json'), 'utf8')).version;
  console.log(`${names.length} models in three.js ${version}`);
} finally {
  await close();
}
