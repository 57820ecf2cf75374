// The page around the viewer: ?model=ADDRESS or ?sample, the state of the view after #, and use without a network.
import './effigy.js';

const viewer = document.querySelector('effigy-viewer');
const asked = new URLSearchParams(location.search);
// How often the address follows the view, in milliseconds.
const FOLLOW = 700;
if (asked.has('webgl')) viewer.setAttribute('webgl', '');

// Whether the address leads to what is shown. Files of the user have none.
let shareable = false;

async function begin() {
  await viewer.ready;
  const state = location.hash.slice(1);
  if (asked.has('model') || asked.has('sample')) {
    if (asked.has('sample')) viewer.run('Open the sample');
    else await viewer.openUrl(asked.get('model'));
    shareable = true;
  }
  if (state) viewer.link = state;
  const own = viewer.status.file;
  window.addEventListener('hashchange', () => { viewer.link = location.hash.slice(1); });
  setInterval(() => {
    if (document.hidden) return;
    const { file } = viewer.status;
    shareable &&= file === own;
    document.title = file ? `${file.split(/[\\/:]/).pop()} - Effigy` : 'Effigy';
    const hash = shareable ? `#${viewer.link}` : '';
    if (location.hash !== hash) history.replaceState(null, '', `${location.pathname}${shareable ? location.search : ''}${hash}`);
  }, FOLLOW);
}

// The viewer has shown the error already.
begin().catch(() => {});

if ('serviceWorker' in navigator && window.isSecureContext) {
  navigator.serviceWorker.register('sw.js').catch(() => {});
}
