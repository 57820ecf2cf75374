// Draws models with mdx-m3-viewer and war3-model in a headless browser and puts the pictures next to ours.
//
//   node gallery.mjs CHROMIUM LIST OUT
//
// LIST is the output of `effigy render --json`: one line per model, with the picture that was written, the camera, the
// sequence and the time. Written to OUT: VIEWER/NAME.png, sheet-N.png with rows of ours, each viewer's picture and the
// difference, and table.tsv with the numbers: mean difference of all channels (0 to 255), and how much of what either
// picture shows is shown by both (0 to 1).
import { createServer } from 'node:http';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const [, , browserPath, listPath, out] = process.argv;
const ROWS = 7;
const VIEWERS = ['mdx-m3-viewer', 'war3-model'];

const FIXED = {
  '/': ['gallery.html', 'text/html'],
  '/gallery-page.js': ['gallery-page.js', 'text/javascript'],
  '/mdx-m3-viewer.js': ['node_modules/mdx-m3-viewer/dist/umd/viewer.min.js', 'text/javascript'],
  '/war3-model.js': ['node_modules/war3-model/dist/war3-model.browser.js', 'text/javascript'],
};

// Files below a folder by lower-case path and also by lower-case name alone.
const folders = new Map();
function filesOf(folder) {
  if (!folders.has(folder)) {
    const found = new Map();
    const walk = (at, inside) => {
      for (const name of readdirSync(at).sort()) {
        const path = join(at, name);
        if (statSync(path).isDirectory()) {
          walk(path, `${inside}${name.toLowerCase()}/`);
        } else {
          found.set(`${inside}${name.toLowerCase()}`, path);
          if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), path);
        }
      }
    };
    walk(folder, '');
    folders.set(folder, found);
  }
  return folders.get(folder);
}

// Finds a texture by the name in the model: next to the model or below, with any known extension.
function texture(model, name) {
  const wanted = name.toLowerCase().replaceAll('\\', '/').replace(/^\.?\/+/, '');
  const stem = wanted.slice(0, wanted.length - extname(wanted).length);
  const files = filesOf(dirname(model));
  for (const path of [wanted, ...['.blp', '.dds', '.tga'].map((end) => stem + end)]) {
    const found = files.get(path) ?? files.get(basename(path));
    if (found) return found;
  }
  return undefined;
}

const jobs = readFileSync(listPath, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line)).filter((job) => job.camera);

const server = createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const job = jobs[Number(url.searchParams.get('job'))];
  const fixed = FIXED[url.pathname];
  let path;
  let type = 'application/octet-stream';
  if (fixed) [path, type] = [join(here, fixed[0]), fixed[1]];
  else if (url.pathname === '/model') path = job?.path;
  else if (url.pathname === '/ours') path = job?.outputs[0];
  else if (url.pathname === '/texture' && job) path = texture(job.path, url.searchParams.get('path') ?? '');
  if (!path || !existsSync(path)) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': type }).end(readFileSync(path));
});

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
const profile = mkdtempSync(join(tmpdir(), 'effigy-gallery-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browserPath,
  headless: true,
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
let failed = 0;
try {
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(`page: ${error.message}`));
  const rows = [];
  for (const [index, job] of jobs.entries()) {
    // A fresh page each time, because neither viewer releases everything.
    await page.goto(address);
    await page.waitForFunction(() => window.ready === true);
    const name = `${basename(dirname(job.path))}/${basename(job.path)}`;
    const result = await page.evaluate(([number, job]) => window.drawAll(number, job), [index, job]);
    const row = { name, job: index, sequence: job.sequence, time: job.time, viewers: {} };
    for (const viewer of VIEWERS) {
      const { picture, error, missing, mean, overlap } = result[viewer];
      row.viewers[viewer] = { picture, error, missing, mean, overlap };
      if (!picture) continue;
      const file = join(out, viewer, `${basename(job.outputs[0])}`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, Buffer.from(picture.split(',')[1], 'base64'));
    }
    const results = VIEWERS.map((viewer) => {
      const { error, mean, overlap } = row.viewers[viewer];
      return error ? `${viewer}: ${error}` : `${viewer} ${mean.toFixed(2)} ${overlap.toFixed(3)}`;
    });
    if (VIEWERS.every((viewer) => row.viewers[viewer].error)) failed += 1;
    console.log(`${name}   ${results.join('   ')}`);
    rows.push(row);
  }
  const table = ['model\tsequence\tseconds', ...VIEWERS.map((viewer) => `${viewer} difference\t${viewer} overlap`)].join('\t');
  const lines = rows.map((row) => [row.name, row.sequence, row.time.toFixed(3), ...VIEWERS.flatMap((viewer) => {
    const { error, mean, overlap } = row.viewers[viewer];
    return error ? [error, ''] : [mean.toFixed(2), overlap.toFixed(3)];
  })].join('\t'));
  writeFileSync(join(out, 'table.tsv'), [table, ...lines, ''].join('\n'));
  for (let at = 0; at < rows.length; at += ROWS) {
    await page.goto(address);
    await page.waitForFunction(() => window.ready === true);
    const sheet = await page.evaluate(([rows, viewers]) => window.sheet(rows, viewers), [rows.slice(at, at + ROWS), VIEWERS]);
    const file = join(out, `sheet-${at / ROWS + 1}.png`);
    writeFileSync(file, Buffer.from(sheet.split(',')[1], 'base64'));
    console.log(`wrote ${file}`);
  }
} finally {
  await context.close();
  server.close();
  rmSync(profile, { recursive: true, force: true });
}
if (failed) console.log(`${failed} models could not be drawn by any viewer`);
if (jobs.length === 0) {
  console.error('error: the list has no model');
  process.exit(1);
}
