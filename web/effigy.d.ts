/** A file with the path that models know it by. */
export interface NamedFile {
  name: string;
  bytes: Uint8Array;
}

/** Something that is wrong with a model. */
export interface Finding {
  /** The stable code of the rule, such as `MDX2007`. */
  code: string;
  severity: 'error' | 'severe' | 'warning' | 'note' | 'unused';
  title: string;
  /** Path inside the model; empty for the model as a whole. */
  path: string;
  /** Offset in the file, where it is known. */
  offset: number | null;
  message: string;
  /** Whether `effigy check --fix` repairs it. */
  fixable: boolean;
}

/** What a viewer shows. */
export interface Status {
  file: string | null;
  error: string | null;
  message: string;
  playing: boolean;
  sequence: string | null;
  /** Seconds in the sequence. */
  time: number;
  camera: { eye: [number, number, number]; back: [number, number, number] };
  selected: string | null;
  findings: number;
  /** Textures that were not found. */
  missing: string[];
  /** Where the view is in the element: left, top, width and height. */
  view: [number, number, number, number];
  /** Pictures of the model drawn so far. */
  pictures: number;
  /** Frames of the whole viewer drawn so far. Neither number grows while nothing moves. */
  frames: number;
}

/** One number for both sides, or width and height in pixels. */
export type Size = number | [number, number];

/** Loads the WebAssembly module once; by default it lies next to this file. */
export function load(source?: string | URL | BufferSource): Promise<unknown>;

/** Opens a model. `others` are files that it needs: textures, skins. */
export function open(bytes: Uint8Array, name: string, others?: NamedFile[]): Promise<Model>;

/** A model without a viewer. */
export class Model {
  private constructor();
  check(): Finding[];
  /** Binary glTF with the model's textures. */
  toGlb(): Uint8Array;
  /** Another format, such as `mdx:800`. */
  convert(target: string): Uint8Array;
  /** A PNG picture. */
  render(size?: Size): Promise<Uint8Array>;
  free(): void;
}

/** The element `<effigy-viewer src="footman.mdx" autoplay>`. */
export class EffigyViewer extends HTMLElement {
  /** Resolves when the viewer runs. */
  readonly ready: Promise<void>;
  open(bytes: Uint8Array, name: string): Promise<void>;
  /** Opens files that belong together. Throws if no model can be shown. */
  openFiles(files: NamedFile[]): void;
  openUrl(address: string): Promise<void>;
  check(): Finding[];
  toGlb(): Uint8Array;
  convert(target: string): Uint8Array;
  /** The view as a PNG picture. */
  render(size?: Size): Promise<Uint8Array>;
  /** Runs a command by the name that the menu shows. */
  run(command: string): void;
  readonly status: Status;
  link: string;
  readonly backend: 'webgpu' | 'gl';
  readonly widgets: { role: string; label: string; rect: [number, number, number, number] }[];
}

declare global {
  interface HTMLElementTagNameMap {
    'effigy-viewer': EffigyViewer;
  }
}
