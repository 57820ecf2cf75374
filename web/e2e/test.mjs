// The page in a headless Chromium, as a user has it.
//
//   node test.mjs --chromium=PROGRAM --site=FOLDER --effigy=PROGRAM --out=FOLDER [--corpus=FOLDER] [--gltf=FOLDER] [--hostile=FOLDER]
//                 [--only=WORD] [--measure] [--random=MINUTES [--seed=NUMBER]] [--picture=FILE]
//
// The pictures that were compared go to --out. Without --corpus and --gltf the models are samples. Prints a line for each test
// and exits 1 if one failed. --measure prints numbers instead; --random uses the page at random for so long; --picture only
// takes the picture of the documentation.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import validator from 'gltf-validator';
import { Tab, compare, launch } from './browser.mjs';
import { measure } from './measure.mjs';
import { random } from './random.mjs';
import { serve } from './serve.mjs';

// --name=value, --name value, and --name alone.
const options = {};
let last;
for (const word of process.argv.slice(2)) {
  const [, name, value] = word.match(/^--([^=]+)=?(.*)$/s) ?? [];
  if (name) options[name] = value;
  else options[last] = word;
  last = name;
}
mkdirSync(options.out, { recursive: true });
const effigy = (...words) => execFileSync(options.effigy, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

// `effigy check` exits with 1 where it finds something.
const checked = (file) => spawnSync(options.effigy, ['check', file, '--json'], { encoding: 'utf8' }).stdout;

// Models to drop: what is dropped, the file in it as the command takes it, and what the page calls it.
function models() {
  const demo = join(options.out, 'demo');
  effigy('demo', demo, '--all', '--force', '--quiet');
  const list = [];
  if (options.corpus) {
    const inside = (...parts) => join(options.corpus, ...parts);
    // Folders with several models and their textures: one is chosen in the list.
    for (const [name, folder, file] of [
      ['mdx', 'textured/EquanMannequim+TheScourgeofLordaeron', 'WoWBoneGolem.mdx'],
      ['m2', 'textured/heyitsbench+mod-worgoblin', 'Helm_Robe_PVPHorde_A_01_GoM.M2'],
      ['mdc', 'textured/etjump+etjump', 'tesla.mdc'],
    ]) {
      list.push({ name, drop: [inside(folder)], file: inside(folder, file), choose: file });
    }
    const map = inside('archives/postcalm+warcraft3-icc/ICC Start.w3x');
    list.push({ name: 'map', drop: [map], file: `${map}:sc_wall.mdx`, choose: 'sc_wall.mdx' });
  } else {
    console.log('SKIPPED: without the corpus the models are samples');
    for (const name of ['mdx-800-creature.mdx', 'm2-264-creature.m2', 'mdc-2-creature.mdc']) {
      list.push({ name, drop: [demo], file: join(demo, name), choose: name });
    }
  }
  const glb = options.gltf ? join(options.gltf, 'Fox.glb') : join(options.out, 'sample.glb');
  if (!options.gltf) effigy('convert', join(demo, 'mdx-800-creature.mdx'), '-o', glb, '--force', '--quiet');
  list.push({ name: 'glb', drop: [glb], file: glb });
  return list;
}

// What `effigy render` makes of the same model at the same moment from the same place.
function rendered(name, file, status, link, size) {
  const { eye, back } = status.camera;
  // The command takes the eye and what it looks at, and cuts off what is too near for that distance.
  const distance = Number(link.match(/view=[^,]*,[^,]*,([^,]*),/)[1]);
  const target = eye.map((value, axis) => value - back[axis] * distance);
  const path = join(options.out, `${name}-render.png`);
  const words = ['render', file, '-o', path, '--force', '--quiet', '--size', size.join('x'), '--no-shadow', `--camera=${eye.join(',')}:${target.join(',')}`];
  if (status.sequence !== null) words.push('--anim', status.sequence, '--time', String(status.time));
  effigy(...words);
  return readFileSync(path);
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const tests = [];
const test = (name, run) => tests.push({ name, run });

// `address` has the page; `context` is the browser.
test('the page loads and draws nothing by itself', async ({ context, address }) => {
  const tab = await Tab.open(context, address);
  assert.equal((await tab.status()).file, null);
  await tab.frames(5);
  await tab.page.waitForTimeout(500);
  const before = (await tab.status()).frames;
  assert.ok(before > 0);
  await tab.page.waitForTimeout(1500);
  assert.equal((await tab.status()).frames, before, 'frames were drawn while nothing moved');
  assert.deepEqual(tab.faults, []);
  await tab.close();
});

for (const hideGpu of [false, true]) {
  test(`a click opens the sample, and it moves (${hideGpu ? 'WebGL 2' : 'WebGPU'})`, async ({ context, address, out }) => {
    const tab = await Tab.open(context, address, { hideGpu });
    assert.equal(await tab.viewer((viewer) => viewer.backend), hideGpu ? 'gl' : 'webgpu');
    await tab.click(/^Open the sample$/);
    await tab.until((status) => status.file !== null && status.pictures > 2);
    const first = await tab.view();
    const { pictures } = await tab.status();
    await tab.until((status, pictures) => status.pictures > pictures + 3, pictures);
    const second = await tab.view();
    writeFileSync(join(out, `sample-${hideGpu ? 'gl' : 'webgpu'}.png`), second.png);
    const moved = await compare(tab.page, first.png, second.png);
    assert.ok(moved.filled > 0.02, `there is nothing to see: ${JSON.stringify(moved)}`);
    assert.ok(moved.changed > 0.001, `nothing moves: ${JSON.stringify(moved)}`);
    // Paused, no frame is drawn and the picture stays.
    await tab.viewer((viewer) => viewer.run('Play or pause'));
    await tab.frames(5);
    await tab.page.waitForTimeout(500);
    const still = await tab.view();
    await tab.page.waitForTimeout(500);
    const before = (await tab.status()).frames;
    await tab.page.waitForTimeout(1500);
    assert.equal((await tab.status()).frames, before, 'frames were drawn while it was paused');
    assert.equal((await compare(tab.page, still.png, (await tab.view()).png)).mean, 0);
    assert.deepEqual(tab.faults, []);
    await tab.close();
  });
}

// Drops a model, and chooses it in the list if there are several.
async function opened(tab, { drop, file, choose }) {
  const { pictures } = await tab.status();
  await tab.drop(...drop);
  await tab.until((status, pictures) => status.pictures > pictures || status.error !== null, pictures, 'the drop');
  if (choose) await tab.click(new RegExp(`^${escaped(choose)}$`), 'Button');
  const wanted = basename(file.split(':').pop());
  return tab.until((status, wanted) => status.file?.endsWith(wanted) && status.pictures > 0, wanted, wanted);
}

async function shown(tab, model, out) {
  const { name, file } = model;
  const wanted = (await opened(tab, model)).file;
  await tab.viewer((viewer) => { viewer.link = 'panels=no&play=no&time=0.3'; });
  await tab.frames(3);
  // The view is wider now: the model is placed in it again.
  await tab.viewer((viewer) => viewer.run('Fit'));
  await tab.frames(3);
  await tab.page.waitForTimeout(200);
  const status = await tab.status();
  assert.equal(status.error, null);
  const { png, size } = await tab.view();
  writeFileSync(join(out, `${name}-page.png`), png);
  const difference = await compare(tab.page, png, rendered(name, file, status, await tab.viewer((viewer) => viewer.link), size));
  console.log(`     ${name}: ${wanted} differs by ${difference.mean.toFixed(3)} of 255; ${(difference.filled * 100).toFixed(0)} % is not background`);
  assert.ok(difference.filled > 0.01, `there is nothing to see: ${JSON.stringify(difference)}`);
  assert.ok(difference.mean < 3, JSON.stringify(difference));
}

for (const hideGpu of [false, true]) {
  test(`dropped models look like \`effigy render\` (${hideGpu ? 'WebGL 2' : 'WebGPU'})`, async ({ context, address, models, out }) => {
    const tab = await Tab.open(context, address, { hideGpu });
    for (const model of hideGpu ? models.slice(0, 2) : models) {
      await shown(tab, hideGpu ? { ...model, name: `${model.name}-gl` } : model, out);
      await tab.viewer((viewer) => { viewer.link = 'panels=yes&play=yes'; });
    }
    assert.deepEqual(tab.faults, []);
    await tab.close();
  });
}

test('a finding is clicked, and its part is selected', async ({ context, address, models }) => {
  const tab = await Tab.open(context, address);
  const status = await opened(tab, models[0]);
  const findings = await tab.viewer((viewer) => viewer.check());
  assert.equal(findings.length, status.findings);
  assert.ok(findings.length > 0, 'the model has findings');
  const lines = checked(models[0].file).split('\n').filter(Boolean);
  const codes = new Set(lines.flatMap((line) => (JSON.parse(line).findings ?? []).map((one) => one.code)));
  assert.deepEqual(new Set(findings.map((one) => one.code)), codes);
  assert.equal(status.selected, null);
  await tab.click(/^Checks/);
  await tab.click(/(BONE|GEOS|LITE|PRE2|PREM|ATCH|HELP)\[\d+\]/, 'Link');
  await tab.until((status) => status.selected !== null);
  await tab.close();
});

test('textures that are dropped later are given to the model', async ({ context, address, out }) => {
  const tab = await Tab.open(context, address);
  await tab.drop(join(out, 'sample.mdx'));
  const before = await tab.until((status) => status.pictures > 0);
  // The five that `effigy info` lists; the team colour has no file.
  assert.equal(before.missing.length, 5);
  await tab.drop(...['LanternBeetle.tga', 'LanternBeetleFire.tga'].map((name) => join(out, 'demo', name)));
  const after = await tab.until((status) => status.missing.length < 5);
  assert.equal(after.missing.length, 3);
  assert.match(after.file, /sample\.mdx$/);
  await tab.close();
});

test('a .glb is downloaded and is valid', async ({ context, address, models, out }) => {
  const tab = await Tab.open(context, address);
  await opened(tab, models[0]);
  await tab.viewer((viewer) => viewer.run('Export'));
  await tab.click(/^Convert$/);
  const arrives = tab.page.waitForEvent('download');
  await tab.click(/^Save as/);
  const download = await arrives;
  const path = join(out, download.suggestedFilename());
  assert.match(path, /\.glb$/);
  await download.saveAs(path);
  const bytes = new Uint8Array(readFileSync(path));
  assert.ok(bytes.length > 1000);
  const { issues } = await validator.validateBytes(bytes, { maxIssues: 10 });
  assert.deepEqual([issues.numErrors, issues.numWarnings], [0, 0], JSON.stringify(issues.messages));
  // A picture of the view is a download too.
  const picture = tab.page.waitForEvent('download');
  await tab.viewer((viewer) => viewer.run('Picture'));
  const png = await (await picture).path();
  assert.equal(readFileSync(png).subarray(1, 4).toString(), 'PNG');
  await tab.close();
});

test('a broken file shows its error, and the page goes on', async ({ context, address, out }) => {
  const tab = await Tab.open(context, address);
  const broken = join(out, 'broken.mdx');
  writeFileSync(broken, Buffer.concat([Buffer.from('MDLXVERS'), Buffer.alloc(64, 0xff)]));
  await tab.drop(broken);
  const { error, file } = await tab.until((status) => status.error !== null);
  assert.equal(file, null);
  assert.match(error, /0x|bytes|version/i);
  await tab.viewer((viewer) => viewer.run('Open the sample'));
  await tab.until((status) => status.error === null && status.file !== null && status.pictures > 0);
  assert.deepEqual(tab.faults, []);
  await tab.close();
});

test('a lost device shows a message with a reload', async ({ context, address }) => {
  const tab = await Tab.open(context, `${address}?sample`, { hideGpu: true });
  await tab.until((status) => status.pictures > 0);
  assert.equal(await tab.fault(), null);
  await tab.viewer((viewer) => viewer.shadowRoot.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext());
  await tab.page.waitForFunction(() => !document.querySelector('effigy-viewer').shadowRoot.querySelector('[part=fault]').hidden);
  assert.match(await tab.fault(), /lost/);
  await Promise.all([tab.page.waitForNavigation(), tab.page.locator('effigy-viewer button').click()]);
  await tab.viewer((viewer) => viewer.ready);
  await tab.until((status) => status.pictures > 0);
  await tab.close();
});

test('a module that stops without a word shows a message, other errors do not', async ({ context, address }) => {
  const tab = await Tab.open(context, address);
  const thrown = (place) => tab.page.evaluate((place) => {
    const error = new WebAssembly.RuntimeError('unreachable');
    error.stack = `at ${place}:wasm-function[7]`;
    window.dispatchEvent(new ErrorEvent('error', { error }));
  }, place);
  await thrown('other_bg.wasm');
  assert.equal(await tab.fault(), null);
  await thrown('effigy_web_bg.wasm');
  assert.match(await tab.fault(), /has stopped[^]*unreachable/);
  await tab.close();
});

test('a link opens a model and holds the view', async ({ context, address }) => {
  const tab = await Tab.open(context, `${address}?model=files/sample.mdx#anim=Walk&time=0.250&play=no&team=3&overlays=bones&view=1.0000,0.2000,400.00,0.00,0.00,50.00`);
  const status = await tab.until((status) => status.file !== null && status.pictures > 0 && !status.playing);
  assert.equal(status.sequence, 'Walk');
  assert.ok(Math.abs(status.time - 0.25) < 0.002, String(status.time));
  // 400 from (0, 0, 50), 1 rad around and 0.2 rad above.
  const expected = [Math.cos(1) * Math.cos(0.2) * 400, Math.sin(1) * Math.cos(0.2) * 400, 50 + Math.sin(0.2) * 400];
  status.camera.eye.forEach((value, axis) => assert.ok(Math.abs(value - expected[axis]) < 0.5, `${status.camera.eye}, not ${expected}`));
  const link = await tab.viewer((viewer) => viewer.link);
  assert.match(link, /^anim=Walk&time=0\.250&play=no&view=1\.0000,0\.2000,400\.00,.*&team=3&overlays=bones$/);
  // The address follows the view.
  await tab.viewer((viewer) => viewer.run('Next team colour'));
  await tab.page.waitForFunction(() => location.hash.includes('team=4'));
  assert.deepEqual(tab.faults, []);
  await tab.close();
});

test('the element and the functions of the package', async ({ context, address, out }) => {
  const tab = await Tab.open(context, `${address}embedded.html`);
  const status = await tab.until((status) => status.file !== null && status.pictures > 0);
  assert.match(status.file, /sample\.mdx$/);
  assert.equal(status.playing, true);
  const answer = await tab.page.evaluate(async () => {
    const { open } = await import('./effigy.js');
    const bytes = new Uint8Array(await (await fetch('files/sample.mdx')).arrayBuffer());
    const model = await open(bytes, 'sample.mdx');
    const text = (bytes) => btoa(String.fromCharCode(...bytes));
    let error;
    await open(new Uint8Array([1, 2, 3]), 'x.mdx').catch((thrown) => { error = thrown.message; });
    return { findings: model.check().length, glb: text(model.toGlb().slice(0, 4)), png: text(await model.render([128, 96])), error };
  });
  assert.equal(atob(answer.glb), 'glTF');
  assert.equal(typeof answer.error, 'string');
  const path = join(out, 'api-render.png');
  const sample = join(out, 'sample.mdx');
  effigy('render', sample, '-o', path, '--force', '--quiet', '--size', '128x96');
  const difference = await compare(tab.page, Buffer.from(answer.png, 'base64'), readFileSync(path));
  assert.ok(difference.filled > 0.01 && difference.mean < 3, JSON.stringify(difference));
  await tab.close();
});

test('the page works without a network once it was visited', async ({ context }) => {
  const own = await serve(options.site);
  const tab = await Tab.open(context, own.address);
  await tab.page.evaluate(() => navigator.serviceWorker.ready);
  own.close();
  await tab.page.reload();
  await tab.viewer((viewer) => viewer.ready);
  await tab.viewer((viewer) => viewer.run('Open the sample'));
  await tab.until((status) => status.pictures > 0);
  await tab.close();
});

const EMBEDDED = `<!doctype html><meta charset="utf-8"><script type="module" src="effigy.js"></script>
<effigy-viewer src="files/sample.mdx" autoplay style="width: 400px; height: 300px"></effigy-viewer>`;
const sample = join(options.out, 'sample.mdx');
let list = [];
// Random use needs no samples where there is a corpus.
if (!options.random || !options.corpus) {
  list = models();
  cpSync(join(options.out, 'demo', 'mdx-800-creature.mdx'), sample);
}
// About 1 MB.
const large = options.corpus ? join(options.corpus, 'textured/huanleifengbao+war3-lua-defence/TB_portrait.mdx') : sample;
const server = await serve(options.site, 0, (path) => {
  if (path === '/embedded.html') return EMBEDDED;
  if (path === '/files/large.mdx') return readFileSync(large);
  return path === '/files/sample.mdx' ? readFileSync(sample) : undefined;
});
const { context, close } = await launch(options.chromium);
let failed = 0;
try {
  const world = { context, address: server.address, models: list, out: options.out, large };
  if ('measure' in options) {
    await measure(world, options.site);
  } else if (options.random) {
    const folders = [options.corpus ?? join(options.out, 'demo'), options.gltf, options.hostile].filter(Boolean);
    const seed = Number(options.seed ?? 1);
    const lines = await random({ ...world, folders, hostile: options.hostile }, Number(options.random), seed).catch((error) => {
      failed += 1;
      return [`FAIL ${error.message}`];
    });
    lines.forEach((line) => console.log(line));
  } else if (options.picture) {
    // A canvas of WebGPU is black in a screenshot.
    const tab = await Tab.open(context, `${server.address}?sample#time=0.4&play=no`, { hideGpu: true });
    await tab.until((status) => status.pictures > 0 && !status.playing);
    await tab.frames(5);
    writeFileSync(options.picture, await tab.page.screenshot());
  } else {
    for (const { name, run } of tests.filter((one) => one.name.includes(options.only ?? ''))) {
      const begin = Date.now();
      let line = 'ok  ';
      try {
        await run(world);
      } catch (error) {
        failed += 1;
        line = 'FAIL';
        console.log(error.stack ?? error);
        for (const [index, page] of context.pages().entries()) {
          await page.screenshot({ path: join(options.out, `failed-${failed}-${index}.png`), timeout: 10_000 }).catch(() => {});
        }
        await Promise.all(context.pages().slice(1).map((page) => page.close().catch(() => {})));
      }
      console.log(`${line} ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    }
  }
} finally {
  await close();
  server.close();
}
process.exit(failed === 0 ? 0 : 1);
