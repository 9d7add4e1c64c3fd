/**
 * The print version of a playground: its source, and the latest call with its result, as text. A
 * printed frame would be cut off.
 */

import type { FromPlayground, PlaygroundFile } from '../../runtime/protocol/embed.ts';

export class PrintView {
  /** Shown only in print. */
  readonly element = document.createElement('div');
  readonly #source = document.createElement('div');
  readonly #outcome = document.createElement('div');
  #call = '';

  constructor() {
    this.element.className = 'print';
    this.element.append(this.#source, this.#outcome);
  }

  /** @param files those of the view; empty if it shows none */
  show(files: readonly PlaygroundFile[]): void {
    this.#source.replaceChildren(...files.map(({ text }) => textOf(text)));
  }

  /** Follows what happens in the frame. */
  take(message: FromPlayground): void {
    if (message.type === 'call') this.#call = `${message.tool} ${message.arguments}`;
    if (message.type === 'result')
      this.#outcome.replaceChildren(textOf(`${this.#call}\n\n${message.text}`));
  }
}

function textOf(text: string): HTMLElement {
  const block = document.createElement('pre');
  block.textContent = text;
  return block;
}
