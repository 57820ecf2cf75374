// Effigy in JavaScript: models without a viewer, and the element <effigy-viewer>.
import init, { Model as WasmModel, Viewer as WasmViewer } from './effigy_web.js';
import { download, existing, fromDialog, fromDrop, fromUrl } from './files.js';

let loading;

/** Loads the WebAssembly module once. `source` is an address or the module's bytes; by default it lies next to this file. */
export function load(source = new URL('effigy_web_bg.wasm', import.meta.url)) {
  loading ??= init({ module_or_path: source });
  return loading;
}

const sides = (size) => (Array.isArray(size) ? size : [size, size]);

/** A model without a viewer. */
export class Model {
  #model;

  constructor(model) {
    this.#model = model;
  }

  /** What is wrong with it. */
  check() {
    return JSON.parse(this.#model.check());
  }

  /** The model as binary glTF, with its textures. */
  toGlb() {
    return this.#model.convert('glb');
  }

  /** The model in another format, such as 'mdx:800'. */
  convert(target) {
    return this.#model.convert(target);
  }

  /** A PNG picture; `size` is one number or [width, height]. */
  render(size = 512) {
    return this.#model.render(...sides(size));
  }

  /** Frees its memory. */
  free() {
    this.#model.free();
  }
}

/** Opens a model. `others` are files that it needs: textures, skins. */
export async function open(bytes, name, others = []) {
  await load();
  const files = [{ name, bytes }, ...others];
  return new Model(new WasmModel(files.map((file) => file.name), files.map((file) => file.bytes)));
}

const SHELL = `
<style>
  :host { display: block; position: relative; min-height: 240px; background: #1b1b1b; }
  canvas { display: block; width: 100%; height: 100%; touch-action: none; }
  [part=note] { position: absolute; inset: auto 0 40% 0; text-align: center; color: #ddd; font: 16px sans-serif; pointer-events: none; }
  [part=fault] { position: absolute; inset: 0; display: grid; place-content: center; gap: 12px; padding: 24px; justify-items: center;
    background: #1b1b1bf0; color: #eee; font: 16px sans-serif; text-align: center; }
  [part=fault][hidden], [part=note][hidden] { display: none; }
  [part=fault] p { margin: 0; max-width: 60ch; white-space: pre-wrap; overflow-wrap: anywhere; }
  [part=fault] button { font: inherit; padding: 6px 18px; }
</style>
<div part="note">Loading the viewer...</div>
<div part="fault" role="alert" hidden><p></p><button>Reload</button></div>`;

const SETTINGS = 'effigy.settings';
const Base = globalThis.HTMLElement ?? class {};

/**
 * <effigy-viewer src="footman.mdx" autoplay>: a viewer in a page.
 *
 * Attributes: src, autoplay, panels (shows the panels at the sides), webgl (does not use WebGPU), keep-settings.
 * Events: `load` when a model is shown, `error` when it cannot be, `fatal` when the viewer has stopped.
 */
export class EffigyViewer extends Base {
  static observedAttributes = ['src'];
  #viewer;
  #canvas;
  #note;
  #fault;
  #settings = '';
  #stops = new AbortController();
  /** Resolves when the viewer runs. */
  ready = Promise.reject(new Error('the viewer is not in a page'));

  constructor() {
    super();
    this.ready.catch(() => {});
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = SHELL;
    this.#note = root.querySelector('[part=note]');
    this.#fault = root.querySelector('[part=fault]');
    this.#fault.querySelector('button').addEventListener('click', () => location.reload());
  }

  connectedCallback() {
    this.#stops = new AbortController();
    const { signal } = this.#stops;
    // Before the canvas, which cannot take folders.
    this.addEventListener('drop', (event) => this.#drop(event), { capture: true, signal });
    this.addEventListener('dragover', (event) => event.preventDefault(), { signal });
    // An error in a frame of the viewer arrives here.
    window.addEventListener('error', (event) => this.#look(event.error), { signal });
    window.addEventListener('unhandledrejection', (event) => this.#look(event.reason), { signal });
    this.ready = this.#start();
    this.ready.catch((error) => this.#stop(error));
  }

  disconnectedCallback() {
    this.#stops.abort();
    this.#viewer?.destroy();
    this.#viewer = undefined;
    this.#canvas?.remove();
  }

  attributeChangedCallback(_, before, after) {
    if (after && before !== null && this.#viewer) this.openUrl(after).catch(() => {});
  }

  async #start() {
    try {
      await load();
    } catch (error) {
      const needs = 'It needs a browser with vectors in WebAssembly: Chrome 91, Firefox 89, Safari 16.4 or later.';
      throw new Error(`The viewer could not be loaded. ${needs}\n${error.message ?? error}`);
    }
    const webgl = this.hasAttribute('webgl');
    try {
      await this.#show(webgl);
    } catch (error) {
      if (webgl || !navigator.gpu) throw error;
      // A browser may offer WebGPU and then give no device.
      await this.#show(true);
    }
    this.#note.hidden = true;
    this.#viewer.setAutoplay(this.hasAttribute('autoplay'));
    if (!this.hasAttribute('panels')) this.#viewer.applyLink('panels=no');
    if (this.getAttribute('src')) await this.openUrl(this.getAttribute('src')).catch(() => {});
  }

  async #show(webgl) {
    this.#canvas?.remove();
    // A canvas that was used for WebGPU cannot be used for WebGL.
    this.#canvas = document.createElement('canvas');
    this.#canvas.part = 'canvas';
    this.shadowRoot.append(this.#canvas);
    this.#canvas.addEventListener('webglcontextlost', () => this.#stop(new Error('The graphics device was lost.')));
    const viewer = new WasmViewer();
    try {
      await viewer.start(this.#canvas, this.#host(), webgl);
    } catch (error) {
      throw new Error(`This browser offers neither WebGPU nor WebGL 2, or has switched them off.\n${error.message ?? error}`);
    }
    this.#viewer = viewer;
  }

  // What the viewer calls. It must not be called back before these return.
  #host() {
    const keeps = this.hasAttribute('keep-settings');
    return {
      askOpen: (folder) => this.#take(fromDialog(folder, (done, all) => this.#progress(done, all))),
      save: download,
      loadSettings: () => {
        try {
          return (keeps ? localStorage.getItem(SETTINGS) : this.#settings) ?? undefined;
        } catch {
          return undefined;
        }
      },
      storeSettings: (text) => {
        try {
          if (keeps) localStorage.setItem(SETTINGS, text);
          else this.#settings = text;
        } catch {
          // A browser may not keep anything in private windows.
        }
      },
      deviceLost: (why) => this.#stop(new Error(`The graphics device was lost.\n${why}`)),
      deviceFailed: (why) => this.#stop(new Error(`The viewer has stopped because the graphics device refused something.\n${why}`)),
    };
  }

  #progress(done, all) {
    this.#note.textContent = `Reading ${done + 1} of ${all} files...`;
    this.#note.hidden = all < 20;
  }

  #drop(event) {
    event.preventDefault();
    event.stopPropagation();
    // The canvas has shown where to drop, and does not see the drop.
    this.#canvas?.dispatchEvent(new DragEvent('dragleave'));
    this.#take(fromDrop(event.dataTransfer, (done, all) => this.#progress(done, all)));
  }

  async #take(files) {
    try {
      const list = await files;
      await this.ready;
      if (list.length > 0) this.openFiles(list);
    } catch (error) {
      this.#viewer?.fail('The files cannot be read', String(error.message ?? error));
    } finally {
      this.#note.hidden = true;
    }
  }

  // Shows the error of a viewer that has stopped. The module has no words for it, but the functions that it was in.
  #look(error) {
    if (!(error instanceof WebAssembly.RuntimeError) || !error.stack?.includes('effigy_web')) return;
    const where = error.stack.split('\n').filter((line) => line.includes('effigy_web')).slice(0, 8);
    const why = 'a fault in it, or it needs more memory than the browser gives it';
    this.#stop(new Error([`The viewer has stopped: ${why} (${error.message}).`, ...where].join('\n')));
  }

  #stop(error) {
    this.#note.hidden = true;
    this.#fault.querySelector('p').textContent = error.message ?? String(error);
    this.#fault.hidden = false;
    this.dispatchEvent(new CustomEvent('fatal', { detail: error.message ?? String(error) }));
  }

  // Calls the module. A fault in it becomes the message with the reload.
  #call(work) {
    if (!this.#viewer) throw new Error('the viewer is not running');
    try {
      return work(this.#viewer);
    } catch (error) {
      this.#look(error);
      throw error;
    }
  }

  /** Opens files that belong together: the first model is shown, and all are listed. Throws if it cannot be shown. */
  openFiles(files) {
    this.#call((viewer) => viewer.open(files.map((file) => file.name), files.map((file) => file.bytes)));
    const { error } = this.status;
    if (error !== null) {
      this.dispatchEvent(new CustomEvent('error', { detail: error }));
      throw new Error(error);
    }
    this.dispatchEvent(new CustomEvent('load'));
  }

  /** Opens one file. */
  async open(bytes, name) {
    await this.ready;
    this.openFiles([{ name, bytes }]);
  }

  /** Opens the file at an address. Textures are looked for below its folder and next to it. */
  async openUrl(address) {
    if (!this.#viewer) await this.ready;
    try {
      this.openFiles(await fromUrl(address));
      const textures = await existing(this.status.missing, address);
      if (textures.length > 0) this.openFiles(textures);
    } catch (error) {
      if (this.status.error === null) this.#call((viewer) => viewer.fail(address, error.message));
      throw error;
    }
  }

  /** Runs a command by the name that the menu shows, such as 'Fit'. */
  run(command) {
    this.#call((viewer) => viewer.run(command));
  }

  /** What is wrong with the opened model. */
  check() {
    return JSON.parse(this.#call((viewer) => viewer.check()));
  }

  /** The opened model as binary glTF, with its textures. */
  toGlb() {
    return this.#call((viewer) => viewer.convert('glb'));
  }

  /** The opened model in another format, such as 'mdx:800'. */
  convert(target) {
    return this.#call((viewer) => viewer.convert(target));
  }

  /** The view as a PNG picture; `size` is one number or [width, height]. */
  render(size = 512) {
    return this.#call((viewer) => viewer.picture(...sides(size)));
  }

  /** What is shown at the moment. */
  get status() {
    return JSON.parse(this.#call((viewer) => viewer.status()));
  }

  /** What the view shows, as the text after the # of a link. */
  get link() {
    return this.#call((viewer) => viewer.link());
  }

  set link(text) {
    this.#call((viewer) => viewer.applyLink(text));
  }

  /** 'webgpu' or 'gl'. */
  get backend() {
    return this.#call((viewer) => viewer.backend());
  }

  /** Names and places of what can be clicked in the last frame; empty at the first call. */
  get widgets() {
    return JSON.parse(this.#call((viewer) => viewer.widgets()));
  }
}

if (globalThis.customElements && !customElements.get('effigy-viewer')) {
  customElements.define('effigy-viewer', EffigyViewer);
}
