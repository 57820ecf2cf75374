// A web server for a folder.
//
//   node serve.mjs FOLDER [PORT]
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml',
  '.json': 'application/json', '.webmanifest': 'application/manifest+json', '.png': 'image/png',
};

// `extra` gives the content for some paths.
export async function serve(folder, port = 0, extra = () => undefined) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const made = extra(path);
    let file = join(folder, path);
    if (made === undefined && existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
    if (made === undefined && !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(made === undefined ? file : path)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(made ?? readFileSync(file));
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => {
    server.close();
    server.closeAllConnections();
  } };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { address } = await serve(process.argv[2], Number(process.argv[3] ?? 8080));
  console.log(address);
}
