/** Mounts the interface of one playground, which loads Python once it is needed. */

import '../../app/ui/styles/controls.css';
import { mount } from 'svelte';
import { wordsOf } from './apply-look.ts';
import { PageTurns } from './page-turns.ts';
import type { PlaygroundDeps, FullPlayground } from './playground-deps.ts';
import PlaygroundPage from './PlaygroundPage.svelte';
import { PlaygroundState } from './playground-state.svelte.ts';
import { PlaygroundTools } from './playground-runtime.svelte.ts';

/** Milliseconds after the first call until files are stored. */
const quietMs = 2_000;

export function openFullPlayground({
  target,
  setup,
  send,
  base,
  window,
}: PlaygroundDeps): FullPlayground {
  const turns = new PageTurns(new BroadcastChannel(`cloche:playground:${setup.page}`));
  const tools = new PlaygroundTools(base, turns);
  let isStored = false;
  const state = new PlaygroundState({
    tools,
    setup,
    send,
    base,
    words: wordsOf(setup.look),
    onCalled: () => {
      if (!isStored) setTimeout(() => void storeForLater(base, window), quietMs);
      isStored = true;
    },
  });
  const { activeElement } = window.document;
  const focused = target.contains(activeElement) ? activeElement : null;
  target.replaceChildren();
  mount(PlaygroundPage, { target, props: { state } });
  // The button that had the focus was removed.
  if (focused !== null)
    target
      .querySelector<HTMLElement>(focused.matches('.edit') ? '.edit' : '.actions .primary')
      ?.focus();
  return state;
}

/** Stores the files that Python has loaded, so it runs after the first call. */
async function storeForLater(base: URL, window: Window): Promise<void> {
  const ended = new AbortController();
  window.addEventListener('pagehide', () => ended.abort());
  // Without this module, the playground needs the network.
  const loaded = await import('./keep-offline.ts').catch(() => null);
  await loaded?.keepOffline(ended.signal, base, window);
}
