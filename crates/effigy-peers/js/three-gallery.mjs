// Draws exported models in three.js and puts the pictures next to those of `effigy render`, from the same camera.
//
//   node three-gallery.mjs CHROMIUM LIST MODELS OUT
//
// LIST is the output of `effigy render --json`, MODELS the folder in which `effigy convert --to glb` wrote the same models.
// Written to OUT: three.js/NAME.png, and gltf-N.png, sheets of pairs: ours on the left, three.js on the right.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { browser } from './three-browser.mjs';

const [, , browserPath, listPath, models, out] = process.argv;
const [COLUMNS, ROWS] = [3, 5];
const jobs = readFileSync(listPath, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((job) => job.camera);
const files = new Set(readdirSync(models, { recursive: true }));
// Models of the same name in one folder keep their extension: `a.mdx.glb`.
const model = (job) => {
  const path = join(basename(dirname(job.path)), basename(job.path));
  return [`${path}.glb`, `${path.slice(0, -extname(path).length)}.glb`].find((name) => files.has(name));
};
const find = (path) => {
  if (path.startsWith('/file/')) return join(models, path.slice(6));
  return path.startsWith('/ours/') ? jobs[Number(path.slice(6))].outputs[0] : undefined;
};
const { context, address, close } = await browser(browserPath, find, ['--use-angle=swiftshader', '--enable-unsafe-swiftshader']);
let missing = 0;
try {
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`page: ${error.message}`));
  const pairs = [];
  for (const [index, job] of jobs.entries()) {
    await page.goto(address);
    await page.waitForFunction(() => window.ready === true);
    const file = model(job);
    let theirs;
    if (file) {
      theirs = await page.evaluate(([name, job]) => window.draw(name, job, 512), [file.slice(0, -4), job]);
      const to = join(out, 'three.js', basename(job.outputs[0]));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, Buffer.from(theirs.split(',')[1], 'base64'));
    } else {
      missing += 1;
      console.error(`${job.path}: there is no .glb of it`);
    }
    pairs.push({ caption: `${index + 1} ${basename(job.path)}  ${job.sequence} ${job.time.toFixed(2)} s`, ours: `/ours/${index}`, theirs });
  }
  for (let at = 0; at < pairs.length; at += COLUMNS * ROWS) {
    const part = pairs.slice(at, at + COLUMNS * ROWS);
    const sheet = await page.evaluate(([pairs, columns]) => window.sheet(pairs, columns), [part, COLUMNS]);
    const file = join(out, `gltf-${at / (COLUMNS * ROWS) + 1}.png`);
    writeFileSync(file, Buffer.from(sheet, 'base64'));
    console.log(`wrote ${file}`);
  }
} finally {
  await close();
}
if (missing || jobs.length === 0 || !existsSync(models)) process.exit(1);
