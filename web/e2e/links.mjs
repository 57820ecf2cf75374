// Follows all links between the files of a folder, and fails if one is dead.
//
//   node links.mjs FOLDER
//
// Links of HTML files to files, and to places in pages of the book (after #). rustdoc tests its own places.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const isPage = (path) => path.endsWith('.html');

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name);
    return one.isDirectory() ? filesBelow(path) : [path];
  });
}

// Comments and examples of code have no links.
const links = (html) => [...html.replace(/<!--.*?-->/gs, '').matchAll(/<[a-z][^<>]*?\s(?:href|src)="([^"]*)"/gi)].map(([, link]) => link.replaceAll('&amp;', '&'));
const places = (html) => new Set([...html.matchAll(/\s(?:id|name)="([^"]*)"/g)].map(([, id]) => id));

/** The dead links of a folder, as text, and how many were followed. */
export function deadLinks(root) {
  const top = resolve(root);
  const known = new Map();
  const placesOf = (path) => {
    if (!known.has(path)) known.set(path, places(readFileSync(path, 'utf8')));
    return known.get(path);
  };
  const dead = [];
  let followed = 0;
  for (const page of filesBelow(top).filter(isPage)) {
    const from = relative(top, page);
    for (const link of links(readFileSync(page, 'utf8'))) {
      if (/^([a-z]+:|\/\/)/i.test(link)) continue;
      // rustdoc copies what the crate tracing says about itself to every type, with a link that holds only there.
      if (from.startsWith('api') && link.startsWith('dispatcher#')) continue;
      followed += 1;
      const [address, place] = link.split('#');
      const [path, query] = address.split('?');
      const target = path === '' ? page : resolve(dirname(page), decodeURIComponent(path));
      // A folder is served as its index.
      const file = existsSync(target) && statSync(target).isDirectory() ? join(target, 'index.html') : target;
      const model = new URLSearchParams(query).get('model');
      if (path.startsWith('/') || relative(top, file).startsWith('..')) dead.push(`${from}: ${link} leads out of the folder`);
      else if (!existsSync(file)) dead.push(`${from}: ${link} does not exist`);
      else if (model !== null && !existsSync(resolve(dirname(file), model))) dead.push(`${from}: ${link} has no model`);
      else if (place && isPage(file) && !from.startsWith('api') && !placesOf(file).has(decodeURIComponent(place))) dead.push(`${from}: ${link} has no such place`);
    }
  }
  return { dead, followed };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { dead, followed } = deadLinks(process.argv[2]);
  dead.forEach((line) => console.log(line));
  console.log(`${followed} links, ${dead.length} of them dead`);
  process.exit(dead.length === 0 && followed > 0 ? 0 : 1);
}
