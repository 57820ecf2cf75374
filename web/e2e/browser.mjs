// A headless Chromium with the page, and what a user does with it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

// WebGPU and WebGL in software. Without the flags for Vulkan a WebGPU canvas loses its device.
const FLAGS = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader', '--enable-features=Vulkan', '--use-vulkan=swiftshader',
  '--disable-vulkan-surface', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--use-angle=swiftshader'];

// Software rendering on a busy machine is slow.
export const PATIENCE = 120_000;

export async function launch(executablePath, viewport = { width: 900, height: 600 }) {
  const profile = mkdtempSync(join(tmpdir(), 'effigy-web-'));
  const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: FLAGS, viewport, acceptDownloads: true });
  context.setDefaultTimeout(PATIENCE);
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, close };
}

/** A page with a viewer. */
export class Tab {
  constructor(page) {
    this.page = page;
    this.faults = [];
    page.on('pageerror', (error) => this.faults.push(String(error)));
    page.on('console', (message) => {
      // What the server does not have is no fault of the page.
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) this.faults.push(message.text());
    });
  }

  static async open(context, address, { hideGpu = false } = {}) {
    const page = await context.newPage();
    if (hideGpu) await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }));
    // Each test begins with the usual settings.
    await page.addInitScript(() => localStorage.clear());
    const tab = new Tab(page);
    await page.goto(address);
    await page.waitForFunction(() => customElements.get('effigy-viewer'));
    await tab.viewer((viewer) => viewer.ready);
    return tab;
  }

  /** Runs a function of the page with the viewer and one more value. */
  viewer(work, value) {
    return this.page.evaluate(([text, value]) => {
      const run = (0, eval)(`(${text})`);
      return run(document.querySelector('effigy-viewer'), value);
    }, [work.toString(), value]);
  }

  status() {
    return this.viewer((viewer) => viewer.status);
  }

  /** The message of a viewer that has stopped; null while it runs. */
  fault() {
    return this.viewer((viewer) => {
      const part = viewer.shadowRoot.querySelector('[part=fault]');
      return part.hidden ? null : part.querySelector('p').textContent;
    });
  }

  /** Waits until the status is as wanted; `work` gets it, and a value. */
  async until(work, value, what = work.toString()) {
    const begin = Date.now();
    for (;;) {
      const status = await this.status();
      if (work(status, value)) return status;
      if (Date.now() - begin > PATIENCE) throw new Error(`waited in vain for ${what}: ${JSON.stringify(status)}`);
      await this.page.waitForTimeout(50);
    }
  }

  /** Waits until so many more frames were drawn by the browser. */
  frames(count = 2) {
    return this.page.evaluate((count) => new Promise((resolve) => {
      const next = (left) => (left === 0 ? resolve() : requestAnimationFrame(() => next(left - 1)));
      next(count);
    }), count);
  }

  /** Drops files or folders of the disk onto the middle of the page, as the browser's own input. */
  async drop(...files) {
    const { width, height } = this.page.viewportSize();
    const session = await this.page.context().newCDPSession(this.page);
    for (const type of ['dragEnter', 'dragOver', 'drop']) {
      await session.send('Input.dispatchDragEvent', {
        type, x: width / 2, y: height / 2, data: { items: [], files, dragOperationsMask: 1 },
      });
    }
    await session.detach();
  }

  /** Waits for a widget whose label matches, and clicks it. */
  async click(label, role = '') {
    const begin = Date.now();
    for (;;) {
      const all = await this.viewer((viewer) => viewer.widgets);
      const { width, height } = this.page.viewportSize();
      // A list may go on below the page.
      const seen = ([left, top, right, bottom]) => left >= 0 && top >= 0 && right <= width && bottom <= height - 60;
      const found = all.find((one) => label.test(one.label) && one.role.includes(role) && seen(one.rect));
      if (found) {
        const [left, top, right, bottom] = found.rect;
        await this.page.mouse.click((left + right) / 2, (top + bottom) / 2);
        await this.frames(3);
        return found.label;
      }
      if (Date.now() - begin > PATIENCE) throw new Error(`there is no ${label} among ${all.map((one) => one.label).join(' | ')}`);
      await this.page.waitForTimeout(100);
    }
  }

  /** The pixels of the view as PNG, and its size. They are read from the canvas in the frame that draws them: in a screenshot of
   * Chromium without a graphics card a canvas of WebGPU is black. */
  async view() {
    const rect = (await this.status()).view.map(Math.round);
    const text = await this.viewer((viewer, [x, y, width, height]) => new Promise((resolve) => {
      const canvas = viewer.shadowRoot.querySelector('canvas');
      // Asks for a frame. The viewer's own callback comes first.
      viewer.link = '';
      requestAnimationFrame(async () => {
        // `drawImage` takes nothing from a canvas of WebGPU in software.
        const whole = await createImageBitmap(await (await fetch(canvas.toDataURL())).blob());
        const part = new OffscreenCanvas(width, height);
        part.getContext('2d').drawImage(whole, -x, -y);
        const bytes = new Uint8Array(await (await part.convertToBlob()).arrayBuffer());
        let text = '';
        for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
        resolve(btoa(text));
      });
    }), rect);
    return { png: Buffer.from(text, 'base64'), size: rect.slice(2) };
  }

  close() {
    return this.page.close();
  }
}

/** Mean difference of two PNG pictures of the same size (0 to 255), and the share of pixels of the first that differ from the left
 * edge: a picture of nothing has none. Chromium decodes them. */
export async function compare(page, first, second) {
  return page.evaluate(async ([first, second]) => {
    const pixels = async (text) => {
      const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [a, b] = [await pixels(first), await pixels(second)];
    if (a.width !== b.width || a.height !== b.height) throw new Error(`${a.width}x${a.height} and ${b.width}x${b.height}`);
    let [sum, changed, filled] = [0, 0, 0];
    for (let at = 0; at < a.data.length; at += 4) {
      const edge = Math.floor(at / 4 / a.width) * a.width * 4;
      let [difference, contrast] = [0, 0];
      for (let channel = 0; channel < 3; channel += 1) {
        difference += Math.abs(a.data[at + channel] - b.data[at + channel]);
        contrast += Math.abs(a.data[at + channel] - a.data[edge + channel]);
      }
      sum += difference;
      if (difference > 12) changed += 1;
      if (contrast > 24) filled += 1;
    }
    const count = a.width * a.height;
    return { mean: sum / (count * 3), changed: changed / count, filled: filled / count };
  }, [first.toString('base64'), second.toString('base64')]);
}
