/** The arguments that the user writes for each tool, with a history of earlier ones. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import { replaceTokens } from '../../../../runtime/spec/json-tokens.ts';

/** Arguments of earlier calls to a tool, newest first. */
export type ArgumentHistory = (tool: string) => readonly JsonText[];

/** Longer texts are not checked while the user types, but only by the call; characters. */
export const checkedChars = 200_000;

/** A value that cannot be sent yet. */
export interface Unfinished {
  /** What stands for the value in the draft's `text`: what the user typed, or `null` if it is missing. */
  readonly text: string;
  /** The reason: the typed text is not valid JSON, is not a number where one is wanted, or is missing. */
  readonly why: 'no json' | 'no number' | 'empty';
}

/** A draft with unfinished values, as its form reads it. */
interface Parts {
  /** Valid JSON text in which placeholders stand for the unfinished values. */
  readonly text: JsonText;
  /** Unfinished values by placeholder, which is a JSON string. */
  readonly unfinished: ReadonlyMap<JsonText, Unfinished>;
}

const none: ReadonlyMap<JsonText, Unfinished> = new Map();

export class Draft {
  readonly #earlier: () => readonly JsonText[];
  readonly #keep: (text: JsonText) => boolean;
  /** The first text of a new draft. */
  readonly template: JsonText;
  readonly #initial: JsonText;
  /** The arguments as they would be sent now. */
  text: JsonText = $state('');
  /** Null if the form can read `text`, because no value is unfinished. */
  #parts: Parts | null = $state.raw(null);
  /** Whether the text is stored as it is now. */
  #kept = true;
  /** Index of the recalled call; 0 for the draft itself. */
  back: number = $state(0);
  /** The draft itself, while a recalled call is in its place. */
  #own: JsonText = '';
  /** Arguments that were never run and that others have replaced; null if there are none. */
  replaced: JsonText | null = $state(null);
  /** Whether the form marks missing values, which begins with the first attempt to run. */
  asked: boolean = $state(false);
  #ask: (() => boolean) | null = null;

  /**
   * @param kept the draft of an earlier visit, if there is one
   * @param keep stores the text for later visits, and returns false if that is not possible
   */
  constructor(
    template: JsonText,
    earlier: () => readonly JsonText[],
    kept: JsonText | null = null,
    keep: (text: JsonText) => boolean = () => false,
  ) {
    this.#earlier = earlier;
    this.#keep = keep;
    this.template = template;
    this.#initial = kept ?? earlier()[0] ?? template;
    this.text = this.#initial;
  }

  /** The text as the form shows it: with placeholders for unfinished values. */
  get formText(): JsonText {
    return this.#parts?.text ?? this.text;
  }

  get unfinished(): ReadonlyMap<JsonText, Unfinished> {
    return this.#parts?.unfinished ?? none;
  }

  /**
   * Lets the form that shows the draft mark the required values that are missing. Arguments that are written as JSON are
   * checked only by the call.
   * @returns whether none is missing
   */
  checkComplete(): boolean {
    return this.#ask?.() ?? true;
  }

  /** @param ask asks for missing values, and returns false if there are some @returns removes the callback */
  askThrough(ask: () => boolean): () => void {
    this.#ask = ask;
    return () => {
      if (this.#ask === ask) this.#ask = null;
    };
  }

  /** Whether the draft has changes that were neither run nor stored. */
  get unsaved(): boolean {
    return !this.#kept && this.#isOwn(this.text);
  }

  get isUntouched(): boolean {
    return this.text === this.#initial;
  }

  /** Stores a text that could not be stored when it was written. */
  keepAgain(): void {
    if (!this.#kept) this.#kept = this.#keep(this.text);
  }

  /** Makes the stored draft of an earlier visit available as {@link replaced}. */
  replaces(stored: JsonText): void {
    // The change waits, because this may be called during rendering, when state must not change.
    queueMicrotask(() => {
      if (stored.trim() !== this.text.trim() && this.#isOwn(stored)) this.replaced ??= stored;
    });
  }

  /** Writes arguments from elsewhere, such as a link or the log. The replaced ones can be restored. */
  replace(text: JsonText): void {
    const before = this.text;
    this.write(text);
    if (before.trim() !== text.trim() && this.#isOwn(before)) this.replaced = before;
    else if (this.replaced?.trim() === text.trim()) this.replaced = null;
  }

  bringBack(): void {
    if (this.replaced !== null) this.replace(this.replaced);
  }

  /** Whether the text is neither the template nor the arguments of an earlier call. */
  #isOwn(text: JsonText): boolean {
    const trimmed = text.trim();
    return (
      trimmed !== this.template.trim() && !this.#earlier().some((saved) => saved.trim() === trimmed)
    );
  }

  write(text: JsonText): void {
    this.#parts = null;
    this.#write(text);
  }

  /** Writes a text in which placeholders stand for unfinished values. */
  writeForm(text: JsonText, unfinished: ReadonlyMap<JsonText, Unfinished>): void {
    const remaining = new Map(
      [...unfinished].filter(([placeholder]) => text.includes(placeholder)),
    );
    this.#parts = remaining.size === 0 ? null : { text, unfinished: remaining };
    this.#write(
      remaining.size === 0
        ? text
        : replaceTokens(text, (start, end) => remaining.get(text.slice(start, end))?.text),
    );
  }

  #write(text: JsonText): void {
    this.text = text;
    this.back = 0;
    this.#kept = this.#keep(text);
  }

  /** Recalls the next older arguments. @returns false if there are none */
  recallEarlier(): boolean {
    return this.#recall(this.back + 1, this.#otherArguments());
  }

  /** Recalls the next newer arguments, and finally the draft. */
  recallLater(): boolean {
    return this.back > 0 && this.#recall(this.back - 1, this.#otherArguments());
  }

  #recall(back: number, earlier: readonly JsonText[]): boolean {
    const text = back === 0 ? this.#own : earlier[back - 1];
    if (text === undefined) return false;
    if (this.back === 0) this.#own = this.text;
    this.#parts = null;
    this.text = text;
    this.back = back;
    return true;
  }

  /** Arguments that equal the current text are skipped. */
  #otherArguments(): readonly JsonText[] {
    const currentText = this.back === 0 ? this.text : this.#own;
    return this.#earlier().filter((text) => text !== currentText);
  }
}

/** The arguments of earlier visits that have not been run. */
export interface DraftStore {
  /** False until the open folder's id is known: until then nothing can be read or stored. */
  readonly isReady: boolean;
  read(tool: string): JsonText | null;
  /**
   * Stores a draft, unless it is the unchanged template.
   * @returns false if the text could not be stored
   */
  keep(tool: string, text: JsonText, template: JsonText): boolean;
}

/** The drafts, one per tool. */
export class Drafts {
  readonly #earlier: ArgumentHistory;
  readonly #kept: DraftStore | null;
  readonly #drafts = new Map<string, Draft>();
  /** Tools whose drafts were started before the drafts of earlier visits could be read. */
  readonly #begunEarly = new Set<string>();

  /** The tool to run as soon as its arguments are shown, since the user has just asked for it. */
  #runs: string | null = $state(null);
  /** The tool whose first field takes the focus when its arguments are shown. */
  #focuses: string | null = null;

  /** @param kept the drafts of earlier visits to the open folder; null if they are not stored */
  constructor(earlier: ArgumentHistory, kept: DraftStore | null = null) {
    this.#earlier = earlier;
    this.#kept = kept;
  }

  /** Whether no arguments have been shown since the folder was opened. */
  get isEmpty(): boolean {
    return this.#drafts.size === 0;
  }

  /** Runs a tool as soon as its arguments are shown. */
  awaitRun(tool: string): void {
    this.#runs = tool;
  }

  /** Whether a tool is to be run. */
  isAwaited(tool: string): boolean {
    return this.#runs === tool;
  }

  endWait(): void {
    this.#runs = null;
  }

  /** Gives the focus to the first field of a tool's arguments when they are shown. */
  focusFirstFieldOf(tool: string): void {
    this.#focuses = tool;
  }

  /** Returns whether the first field of a tool gets the focus now, once after {@link focusFirstFieldOf}. */
  takeFocus(tool: string): boolean {
    if (this.#focuses !== tool) return false;
    this.#focuses = null;
    return true;
  }

  /** Returns the draft of a tool. @param template the first text of a new draft */
  of(tool: string, template: JsonText): Draft {
    const known = this.#findDraft(tool);
    // A draft that still is the template is replaced when the tool's file changes the template.
    if (known !== undefined && (known.template === template || known.text !== known.template))
      return known;
    if (this.#kept?.isReady === false) this.#begunEarly.add(tool);
    const stored = (): JsonText | null => this.#kept?.read(tool) ?? null;
    const draft: Draft = new Draft(
      template,
      () => this.#earlier(tool),
      stored(),
      (text) => {
        const replaced = this.#takeReady(tool) ? stored() : null;
        if (replaced !== null) draft.replaces(replaced);
        return this.#kept?.keep(tool, text, template) ?? false;
      },
    );
    this.#drafts.set(tool, draft);
    return draft;
  }

  /**
   * Returns the draft of a tool; undefined also for an untouched draft that the draft of an earlier
   * visit has to replace.
   */
  #findDraft(tool: string): Draft | undefined {
    const known = this.#drafts.get(tool);
    if (known?.isUntouched === true) return this.#takeReady(tool) ? undefined : known;
    known?.keepAgain();
    return known;
  }

  /**
   * Returns whether the draft of an earlier visit can be read now, and could not when this one was started. Says so
   * once for each tool.
   */
  #takeReady(tool: string): boolean {
    return this.#kept?.isReady === true && this.#begunEarly.delete(tool);
  }

  /** Tools whose arguments would be lost if the page were closed. */
  get unsaved(): string[] {
    return [...this.#drafts].flatMap(([tool, draft]) => (draft.unsaved ? [tool] : []));
  }

  /** Forgets all drafts when another folder is opened, whose tools may have the same names. */
  clear(): void {
    this.#drafts.clear();
    this.#begunEarly.clear();
    this.#runs = null;
  }
}
