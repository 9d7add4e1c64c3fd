/** The arguments that the user writes for each tool, with a history of earlier ones. */

import type { JsonText } from '../../../spec/json.ts';
import type { RegisteredTool } from '../../../spec/tool.ts';
import { argumentTemplate } from './argument-template.ts';

/** Arguments of earlier calls to a tool, newest first. */
export type ArgumentHistory = (tool: string) => readonly JsonText[];

/** Limit of the text that is checked at each key press; the call itself checks longer ones. Characters. */
export const checkedChars = 200_000;

export class Draft {
  readonly #earlier: () => readonly JsonText[];
  readonly template: JsonText;
  #text: JsonText = $state('');
  /** Index of the recalled call; 0 for the draft itself. */
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

  /** Whether the draft has changes that no run has used. */
  get unsaved(): boolean {
    const text = this.#text.trim();
    return text !== this.template.trim() && !this.#earlier().some((saved) => saved.trim() === text);
  }

  write(text: JsonText): void {
    this.#text = text;
    this.#back = 0;
  }

  /** Recalls the next older arguments. @returns false if there are none */
  recallEarlier(): boolean {
    return this.#recall(this.#back + 1, this.#others());
  }

  /** Recalls the next newer arguments, and finally the draft. */
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

  /** Arguments that equal the current text are skipped. */
  #others(): readonly JsonText[] {
    const own = this.#back === 0 ? this.#text : this.#own;
    return this.#earlier().filter((text) => text !== own);
  }
}

/** One draft per tool, until the page is closed. */
export class Drafts {
  readonly #earlier: ArgumentHistory;
  readonly #drafts = new Map<string, Draft>();

  constructor(earlier: ArgumentHistory) {
    this.#earlier = earlier;
  }

  of(tool: Pick<RegisteredTool, 'name' | 'parameters' | 'examples'>): Draft {
    const template = argumentTemplate(tool);
    const known = this.#drafts.get(tool.name);
    // An unchanged template follows changes of the tool's file.
    if (known !== undefined && (known.template === template || known.text !== known.template))
      return known;
    const draft = new Draft(template, () => this.#earlier(tool.name));
    this.#drafts.set(tool.name, draft);
    return draft;
  }

  /** Tools whose arguments would be lost with the page. */
  get unsaved(): string[] {
    return [...this.#drafts].flatMap(([tool, draft]) => (draft.unsaved ? [tool] : []));
  }

  /** Another folder is open, whose tools may have the same names. */
  clear(): void {
    this.#drafts.clear();
  }
}
