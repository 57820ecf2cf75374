// Opens glTF files of other programs in three.js, in a headless browser, and compares their poses with those of our sampler.
//
//   node inputs.mjs CHROMIUM INPUTS FOLDER RESULTS
//
// FOLDER holds NAME.json and NAME.pos for every animated file below INPUTS (the example pose_inputs). RESULTS gets a line of JSON per
// file: its path, the largest difference as a share of its size and where that is, and how much was compared.
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { browser } from './three-browser.mjs';

const [, , browserPath, inputs, folder, results] = process.argv;
const find = (path) => {
  if (path.startsWith('/file/')) return join(folder, path.slice(6));
  return path.startsWith('/input/') ? join(inputs, path.slice(7)) : undefined;
};
const { context, address, close } = await browser(browserPath, find, ['--disable-gpu']);
try {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => window.ready === true);
  writeFileSync(results, '');
  const names = readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5)).sort();
  for (const name of names) {
    let result;
    try {
      result = await page.evaluate((name) => window.compareInput(name), name);
    } catch (error) {
      result = { name, error: String(error.message ?? error).split('\n')[0] };
    }
    appendFileSync(results, `${JSON.stringify(result)}\n`);
  }
} finally {
  await close();
}
