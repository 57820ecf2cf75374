// A headless browser with a page that has three.js (clients.html), and a server for it and for files.
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const here = dirname(fileURLToPath(import.meta.url));

// `find` returns the file for a path, or nothing if the path is one of the page's own.
export async function browser(executable, find, flags) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    let file = find(path);
    let type = 'application/octet-stream';
    if (!file) {
      type = path === '/' ? 'text/html' : 'text/javascript';
      file = path === '/' ? join(here, 'clients.html') : join(here, path.startsWith('/three/') ? 'node_modules' : '', path);
    }
    if (!existsSync(file)) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = mkdtempSync(join(tmpdir(), 'effigy-three-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable,
    headless: true,
    args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', ...flags],
  });
  const close = async () => {
    await context.close();
    server.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { context, address: `http://127.0.0.1:${server.address().port}/`, close };
}
