// Keeps the page for use without a network. `cargo xtask web build` writes the version and the list of files.
const VERSION = '@VERSION@';
const FILES = '@FILES@'.split(' ');

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const others = caches.keys().then((names) => names.filter((name) => name.startsWith('effigy-') && name !== VERSION));
  event.waitUntil(others.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

// The page itself comes from the network, so that a new version is seen, and from the cache without a network. Its other files
// are those that the page was installed with. Nothing else is touched.
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  const path = url.pathname.slice(new URL('./', self.location).pathname.length);
  if (event.request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (event.request.mode === 'navigate' && (path === '' || path === 'index.html')) {
    event.respondWith(fetch(event.request).catch(() => caches.match('index.html')));
  } else if (FILES.includes(path)) {
    event.respondWith(caches.match(path).then((known) => known ?? fetch(event.request)));
  }
});
