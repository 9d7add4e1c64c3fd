/** Composes the app for one playground, and mounts what it shows of it. Loaded when Python is wanted. */

import '../../app/ui/styles/controls.css';
import { mount } from 'svelte';
import { compose } from '../../app/compose.ts';
import { LateState } from '../../app/ui/shell/late-state.ts';
import { Ui } from '../../app/ui/shell/ui.svelte.ts';
import { wordsOf } from './apply-look.ts';
import PlaygroundPage from './PlaygroundPage.svelte';
import { PlaygroundState } from './playground-state.svelte.ts';
import type { PlaygroundDeps, WholePlayground } from './playground-deps.ts';
import { shareInterpreters } from './shared-interpreters.ts';

/** Milliseconds after the first call until files are stored. */
const quietMs = 2_000;

export function openWhole({ target, setup, send, base, window }: PlaygroundDeps): WholePlayground {
  const composed = compose(base, window, Promise.resolve(), {
    shareInterpreters: shareInterpreters({
      page: setup.page,
      channel: (name) => new BroadcastChannel(name),
      newId: () => crypto.randomUUID(),
      locks: (window.navigator as Partial<Pick<Navigator, 'locks'>>).locks,
      whenGone: (listener) => {
        window.addEventListener('pagehide', listener);
        return () => window.removeEventListener('pagehide', listener);
      },
    }),
  });
  const ui = new Ui({ ...composed, bar: noBar });
  ui.useLate(new LateState(ui));
  ui.preferences.argumentView = setup.view === 'json' ? 'json' : 'form';
  const state = new PlaygroundState({ ui, setup, send, base, words: wordsOf(setup.look) });
  const focused = target.contains(window.document.activeElement);
  target.replaceChildren();
  mount(PlaygroundPage, { target, props: { ui, state } });
  // The button that was pressed is gone.
  if (focused) target.querySelector<HTMLElement>('.bar .primary')?.focus();
  state.open();
  const stop = composed.app.calls.observe(({ type }) => {
    if (type !== 'call-ended') return;
    stop();
    setTimeout(() => void storeForLater(base, window), quietMs);
  });
  return state;
}

/** Loaded after the first call, since it stores files that Python has loaded. */
async function storeForLater(base: URL, window: Window): Promise<void> {
  const ended = new AbortController();
  window.addEventListener('pagehide', () => ended.abort());
  // Without this module, the playground needs the network.
  const loaded = await import('./keep-offline.ts').catch(() => null);
  await loaded?.keepOffline(ended.signal, base, window);
}

/** The playground is one place: its address never changes. */
const noBar = {
  location: { hash: '', replace: () => undefined },
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
};
