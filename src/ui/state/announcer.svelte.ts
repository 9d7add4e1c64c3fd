/** What is said aloud to those who do not see the page: turns of events, never streamed text. */

export class Announcer {
  #text: string = $state('');
  #times = 0;

  get text(): string {
    return this.#text;
  }

  say(text: string): void {
    // The same words twice would not be read out again.
    this.#times += 1;
    this.#text = this.#times % 2 === 0 ? text : `${text}\u00a0`;
  }
}
