/** What is said aloud to those who do not see the page: turns of events, never streamed text. */

import { visibleText } from '../parts/visible-text.ts';

export class Announcer {
  #text: string = $state('');
  #times = 0;

  get text(): string {
    return this.#text;
  }

  /** May quote what a tool said. */
  say(quoted: string): void {
    const text = visibleText(quoted);
    // The same words twice would not be read out again.
    this.#times += 1;
    this.#text = this.#times % 2 === 0 ? text : `${text}\u00a0`;
  }
}
