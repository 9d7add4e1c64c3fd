/** Mounts the interface of one playground, which loads Python once it is needed. */

import '../../app/ui/styles/controls.css';
import { mount } from 'svelte';
import type {
  FromPlayground,
  LabelName,
  PlaygroundFile,
  PlaygroundResult,
  PlaygroundSetup,
} from '../../runtime/protocol/embed.ts';
import { wordsOf } from './apply-look.ts';
import { PageTurns, PlaygroundTools } from './playground-runtime.svelte.ts';
import PlaygroundPage from './PlaygroundPage.svelte';
import { PlaygroundState } from './playground-state.svelte.ts';

export interface PlaygroundDeps {
  readonly target: HTMLElement;
  readonly setup: PlaygroundSetup;
  /** Sends an event to the page around it. */
  readonly send: (message: FromPlayground) => void;
  /** Address of the app, with a trailing slash. */
  readonly base: URL;
  readonly window: Window;
}

/** A playground with its whole interface, which can run Python. */
export interface FullPlayground {
  /**
   * Resolves with how the call ended; rejects if there is no tool to run, or its arguments are not JSON.
   * @param by who starts the run: if it is the reader, the page scrolls to the result
   */
  run(by?: 'reader' | 'page'): Promise<PlaygroundResult>;
  cancel(): void;
  setFiles(files: readonly PlaygroundFile[]): void;
  setArguments(args: string): void;
  setWords(words: Readonly<Record<LabelName, string>>): void;
  edit(): void;
  /** Starts Python and loads the source. Never rejects: the playground shows a failure. */
  open(): void;
}

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
