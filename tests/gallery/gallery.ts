/**
 * The gallery: components of the interface in their states, for development. `gallery.html` lists them;
 * `gallery.html?theme=dark#result/full` shows one state alone, and another one when the hash changes.
 */

import '../../src/app/ui/styles/controls.css';
import { mount, unmount } from 'svelte';
import { components } from './components.ts';
import Gallery from './Gallery.svelte';
import Stage from './Stage.svelte';

const target = document.body.querySelector('#app') ?? document.body;
const theme = new URLSearchParams(location.search).get('theme');
let stage: ReturnType<typeof mount> | null = null;

function show(): void {
  if (stage !== null) void unmount(stage);
  stage = null;
  const place = decodeURI(location.hash.slice(1));
  const [name = '', state = ''] = place.split('/');
  const shown = Object.entries(components[name] ?? {}).find(([each]) => each === state)?.[1];
  if (shown !== undefined) stage = mount(Stage, { target, props: { shown: shown(), place } });
}

if (theme === null) mount(Gallery, { target });
else {
  document.documentElement.dataset.theme = theme;
  addEventListener('hashchange', show);
  show();
}
