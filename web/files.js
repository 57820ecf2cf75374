// Files of a drop or a dialog, with the paths that models know their textures by.

// What fills folders of games and is of no use here.
const USELESS = /\.(wav|mp3|ogg|flac|wma|avi|mp4|mov|bik|exe|dll|so|pdb|msi|ttf|lua|psd|blend\d?)$/i;
// A browser cannot hold more in memory.
const MOST = 1.5e9;

/** @typedef {{ name: string, bytes: Uint8Array }} NamedFile */

async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  // A reader returns at most 100 entries at a time.
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

async function walk(entry, path, found) {
  const name = path ? `${path}/${entry.name}` : entry.name;
  if (entry.isDirectory) {
    for (const inner of await entriesOf(entry)) await walk(inner, name, found);
  } else if (!path || !USELESS.test(entry.name)) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    found.push([name, file]);
  }
}

async function read(found, progress) {
  const total = found.reduce((sum, [, file]) => sum + file.size, 0);
  if (total > MOST) throw new Error(`these files have ${Math.round(total / 1e6)} MB, more than a page can hold`);
  const files = [];
  for (const [name, file] of found) {
    progress?.(files.length, found.length);
    files.push({ name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return files;
}

/**
 * The files of a drop; folders are walked. Call it inside the event: the list is gone afterwards.
 * @returns {Promise<NamedFile[]>}
 */
export async function fromDrop(transfer, progress) {
  const items = [...transfer.items].filter((item) => item.kind === 'file')
    .map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile()).filter(Boolean);
  const found = [];
  for (const item of items) {
    if (item instanceof File) found.push([item.name, item]);
    else await walk(item, '', found);
  }
  // The name of the only folder says nothing about the files in it.
  const root = items.length === 1 && items[0].isDirectory ? `${items[0].name}/` : '';
  return read(found.map(([name, file]) => [name.slice(root.length), file]), progress);
}

/** Asks for files, or for a folder. The promise is never settled if the user closes the dialog.
 * @returns {Promise<NamedFile[]>} */
export function fromDialog(folder, progress) {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = folder;
  return new Promise((resolve, reject) => {
    input.addEventListener('change', () => {
      const found = [...input.files].filter((file) => !folder || !USELESS.test(file.name))
        .map((file) => [folder ? file.webkitRelativePath.split('/').slice(1).join('/') : file.name, file]);
      read(found, progress).then(resolve, reject);
    });
    input.click();
  });
}

async function fetched(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** The file at an address, and the first skin of an M2.
 * @returns {Promise<NamedFile[]>} */
export async function fromUrl(address) {
  const url = new URL(address, document.baseURI);
  const name = decodeURIComponent(url.pathname.split('/').pop() || 'model');
  const files = [{ name, bytes: await fetched(url) }];
  const skin = name.replace(/\.m2$/i, '00.skin');
  if (skin !== name) files.push(...await existing([skin], url));
  return files;
}

/** Those of these files that are on the server, at their path below a file's folder or next to it.
 * @returns {Promise<NamedFile[]>} */
export async function existing(names, beside) {
  const base = new URL(beside, document.baseURI);
  const one = async (name) => {
    const path = name.replaceAll('\\', '/');
    for (const place of new Set([path, path.split('/').pop()])) {
      const url = new URL(place.split('/').map(encodeURIComponent).join('/'), base);
      const bytes = await fetched(url).catch(() => undefined);
      if (bytes) return [{ name: path, bytes }];
    }
    return [];
  };
  return (await Promise.all(names.map(one))).flat();
}

/** Offers a file for download. */
export function download(name, bytes) {
  const url = URL.createObjectURL(new Blob([bytes]));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
