/** Starts the page. */

import { mount } from 'svelte';
import { compose, type Composed } from './app/compose.ts';
import type { MessageLog } from './app/ui/debug/message-log.ts';
import Page from './app/ui/shell/Page.svelte';
import { Ui } from './app/ui/shell/ui.svelte.ts';
import { waitForPaint } from './app/ui/shell/wait-for-paint.ts';
import type { Driver } from './runtime/protocol/headless.ts';

function start(messages: MessageLog | null): Composed {
  const composed = compose(
    new URL('./', document.baseURI),
    window,
    waitForPaint(),
    messages ?? undefined,
  );
  const target = document.querySelector('#app');
  if (target instanceof HTMLElement) {
    // The page follows the hash in the window's address bar.
    const ui = new Ui({ ...composed, bar: window, messages });
    target.replaceChildren();
    mount(Page, { target, props: { ui } });
  }
  void composed.app.log.load();

  // The browser's console and benchmarks use the app by this name.
  Object.assign(globalThis, { cloche: composed.app });

  // A program that controls the browser, such as `npx cloche`, defines this function to drive the page.
  const driver: unknown = Reflect.get(globalThis, 'clocheDriver');
  if (typeof driver === 'function' && !composed.framed)
    void import('./app/headless.ts').then(({ headless }) => (driver as Driver)(headless(composed)));
  return composed;
}

if (new URLSearchParams(location.search).has('debug'))
  void import('./app/ui/debug/debug-mode.ts').then(
    ({ startWithLog }) => startWithLog(start),
    (thrown: unknown) => {
      reportError(thrown);
      start(null);
    },
  );
else start(null);
