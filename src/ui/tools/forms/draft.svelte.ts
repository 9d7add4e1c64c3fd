/** The arguments that the user writes for each tool, with a history of earlier ones. */

import type { JsonText } from '../../../spec/json.ts';
import type { RegisteredTool } from '../../../spec/tool.ts';
import { argumentTemplate } from './argument-template.ts';

/** Arguments of earlier calls of a tool, newest first. */
export type ArgumentHistory = (tool: string) => readonly JsonText[];

/** Notes are taken on every key press only up to this size; beyond it the call itself finds faults. */
export const checkedChars = 200_000;

export class Draft {
  readonly #earlier: () => readonly JsonText[];
  readonly template: JsonText;
  #text: JsonText = $state('');
  /** How many earlier calls back the text comes from; 0 is what the user writes. */
  #back: number = $state(0);
  #own: JsonText = '';

  constructor(template: JsonText, earlier: () => readonly JsonText[]) {
    this.#earlier = earlier;
    this.template = template;
    this.#text = earlier()[0] ?? template;
  }

  get text(): JsonText {
    return this.#text;
  }

  get back(): number {
    return this.#back;
  }

  /** The user has written what no run has kept. */
  get unsaved(): boolean {
    const text = this.#text.trim();
    return text !== this.template.trim() && !this.#earlier().some((saved) => saved.trim() === text);
  }

  write(text: JsonText): void {
    this.#text = text;
    this.#back = 0;
  }

  /** Goes one step back in time; false where there is nothing earlier. */
  recallEarlier(): boolean {
    return this.#recall(this.#back + 1, this.#others());
  }

  /** Comes one step forward again, at last to what the user had written. */
  recallLater(): boolean {
    return this.#back > 0 && this.#recall(this.#back - 1, this.#others());
  }

  #recall(back: number, earlier: readonly JsonText[]): boolean {
    const text = back === 0 ? this.#own : earlier[back - 1];
    if (text === undefined) return false;
    if (this.#back === 0) this.#own = this.#text;
    this.#text = text;
    this.#back = back;
    return true;
  }

  /** The current text is skipped. */
  #others(): readonly JsonText[] {
    const own = this.#back === 0 ? this.#text : this.#own;
    return this.#earlier().filter((text) => text !== own);
  }
}

/** One draft for each tool, kept while the page lives. */
export class Drafts {
  readonly #earlier: ArgumentHistory;
  readonly #drafts = new Map<string, Draft>();

  constructor(earlier: ArgumentHistory) {
    this.#earlier = earlier;
  }

  of(tool: Pick<RegisteredTool, 'name' | 'parameters' | 'examples'>): Draft {
    const template = argumentTemplate(tool);
    const known = this.#drafts.get(tool.name);
    // An untouched template follows the tool's file as it changes.
    if (known !== undefined && (known.template === template || known.text !== known.template))
      return known;
    const draft = new Draft(template, () => this.#earlier(tool.name));
    this.#drafts.set(tool.name, draft);
    return draft;
  }

  /** Tools with arguments that would be lost with the page. */
  get unsaved(): string[] {
    return [...this.#drafts].flatMap(([tool, draft]) => (draft.unsaved ? [tool] : []));
  }

  /** Another folder is open: its tools may have the same names. */
  clear(): void {
    this.#drafts.clear();
  }
}
