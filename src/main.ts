/** Starts the page. */

import { compose } from './app/compose.ts';
import type { Driver } from './app/headless.ts';
import { mountApp } from './app/ui/shell/mount.ts';
import { painted } from './app/ui/shell/painted.ts';

const composed = compose(new URL('./', document.baseURI), window, painted());
const target = document.querySelector('#app');
if (target instanceof HTMLElement) mountApp(target, composed);
void composed.app.log.load();

// For the browser's console, and for benchmarks.
Object.assign(globalThis, { cloche: composed.app });

const driver: unknown = Reflect.get(globalThis, 'clocheDriver');
if (typeof driver === 'function' && !composed.framed)
  void import('./app/headless.ts').then(({ headless }) => (driver as Driver)(headless(composed)));
