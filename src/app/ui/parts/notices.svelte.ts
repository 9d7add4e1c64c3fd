/** A short message about what has just happened, for eyes and for screen readers. */

import type { Announcer } from './announcer.svelte.ts';

/** Time for which a message is shown, without and with a button; milliseconds. */
const shownMs = 6_000;
const withButtonMs = 15_000;

export interface Notice {
  /** May quote a name of the folder. */
  readonly text: string;
  readonly button?: { readonly words: string; readonly choose: () => void } | undefined;
}

export class Notices {
  readonly #announcer: Pick<Announcer, 'say'>;
  current: Notice | null = $state.raw(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(announcer: Pick<Announcer, 'say'>) {
    this.#announcer = announcer;
  }

  /** Shows a message in place of the last one. */
  show(text: string, button?: Notice['button']): void {
    this.#announcer.say(text);
    this.current = { text, button };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), button === undefined ? shownMs : withButtonMs);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.current = null;
  }
}
