/** A text in YAML or JSON that is being written: a form changes it value by value, and its problems have lines. */

import type { LineProblem } from '../../../agent/runner/read-json-or-yaml.ts';
import type { ValuePath } from '../../../runtime/protocol/yaml.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import { isRecord } from '../../../runtime/spec/guards.ts';
import type { Json } from '../../../runtime/spec/json.ts';

/** Delay after the last key press before a text is read; milliseconds. */
const readMs = 300;
const maxUndo = 100;
/** Limit of the places that lists show although other items come before them. */
const maxRevealed = 50;

/** Ways of showing a text; every text can be shown as such. */
export type YamlView = 'text' | 'form' | 'graph';

export interface ReadDraft<Checked> {
  /** Null if the text does not have its form. */
  readonly checked: Checked | null;
  readonly problems: readonly LineProblem[];
  /** The parsed text; undefined if it cannot be parsed, or is too long. */
  readonly value: unknown;
}

export interface YamlDraftDeps<Checked> {
  read(text: string): Promise<ReadDraft<Checked>>;
  /** Sets a value; undefined removes it. Rejects if the text is neither JSON nor YAML. */
  withValue(text: string, path: ValuePath, value: Json | undefined): Promise<string>;
}

export abstract class YamlDraft<Checked> {
  readonly #deps: YamlDraftDeps<Checked>;
  #value: unknown = $state.raw({});
  problems: readonly LineProblem[] = $state.raw([]);
  /** The value of the text; null if it has problems. */
  checked: Checked | null = $state.raw(null);
  /** Whether the problems are those of an earlier text. */
  reading = $state(false);
  /** Why the last change failed; may be empty. */
  fault = $state('');
  /** The source of the text, such as `the file a.yaml`; empty if the user has written it. */
  from = $state('');
  #earlier: readonly { readonly text: string; readonly from: string }[] = $state.raw([]);
  #revealed: readonly ValuePath[] = $state.raw([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #read = 0;
  /** Settles when the previous change is made, since changes follow one another. */
  #changed: Promise<unknown> = Promise.resolve();

  constructor(deps: YamlDraftDeps<Checked>) {
    this.#deps = deps;
  }

  abstract get text(): string;

  /** Stores another text. */
  protected abstract keep(text: string): void;

  get isEmpty(): boolean {
    return this.text.trim() === '';
  }

  /** Whether the text could be parsed, so that the form can change it. */
  get isReadable(): boolean {
    return this.#value !== undefined;
  }

  /** The value at a place; undefined if the text has none there. */
  valueAt(...path: ValuePath): unknown {
    return path.reduce<unknown>((value, step) => {
      if (Array.isArray(value)) return value[Number(step)];
      return isRecord(value) ? value[step] : undefined;
    }, this.#value);
  }

  /** Lets the lists around a place show it, however many items come before it. */
  reveal(path: ValuePath): void {
    this.#revealed = [...this.#revealed, path].slice(-maxRevealed);
  }

  /** The indices of the revealed items of a list. */
  revealedIn(...list: ValuePath): readonly number[] {
    return this.#revealed
      .filter((path) => startsWith(path, list))
      .map((path) => path[list.length])
      .filter((index) => typeof index === 'number');
  }

  get canUndo(): boolean {
    return this.#earlier.length > 0;
  }

  /** Describes the problem at a place, but not those deeper inside; empty if there is none. */
  problemAt(...path: ValuePath): string {
    const found = this.problems.filter(
      (problem) => problem.path.length === path.length && startsWith(problem.path, path),
    );
    return found.map(({ message, hint }) => `${message}. ${hint}`).join(' ');
  }

  /** Number of problems at a place or deeper inside. */
  problemsIn(...path: ValuePath): number {
    return this.problems.filter((problem) => startsWith(problem.path, path)).length;
  }

  write(text: string, from = this.from): void {
    this.from = text.trim() === '' ? '' : from;
    this.keep(text);
    this.reading = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.check(), readMs);
  }

  /** Replaces the whole text. The user can undo this. @param from the source of the text, if it is not the user */
  replace(text: string, from = ''): void {
    this.#keepEarlier();
    this.write(text, from);
    void this.check();
  }

  undo(): void {
    const last = this.#earlier.at(-1);
    if (last === undefined) return;
    this.#earlier = this.#earlier.slice(0, -1);
    this.write(last.text, last.from);
    void this.check();
  }

  /** Adds an item at the end of a list, and reveals it. @param path of the item */
  add(path: ValuePath, value: Json): Promise<void> {
    this.reveal(path);
    return this.set(path, value);
  }

  /** Sets a value; undefined removes it. */
  set(path: ValuePath, value: Json | undefined): Promise<void> {
    return this.change((text) => this.#deps.withValue(text, path, value));
  }

  /** Waits until the text has all values that were set. */
  async settled(): Promise<void> {
    await this.#changed;
  }

  /** Reads the text, and shows its problems. @returns what it says if it has none */
  async check(): Promise<Checked | null> {
    clearTimeout(this.#timer);
    const read = (this.#read += 1);
    this.reading = true;
    try {
      const { checked, problems, value } = await this.#deps.read(this.text);
      if (read !== this.#read) return null;
      this.problems = problems;
      this.#value = value;
      this.fault = '';
      this.checked = problems.length > 0 ? null : checked;
      return this.checked;
    } catch (thrown) {
      this.fault = errorText(thrown);
      return null;
    } finally {
      if (read === this.#read) this.reading = false;
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  protected change(change: (text: string) => Promise<string>): Promise<void> {
    const done = this.#changed.then(async () => {
      try {
        const before = this.text;
        const text = await change(before);
        if (text === before) return;
        this.#keepEarlier();
        this.write(text);
        await this.check();
      } catch (thrown) {
        this.fault = errorText(thrown);
      }
    });
    this.#changed = done;
    return done;
  }

  #keepEarlier(): void {
    const now = { text: this.text, from: this.from };
    this.#earlier = [...this.#earlier, now].slice(-maxUndo);
  }
}

function startsWith(path: ValuePath, start: ValuePath): boolean {
  return start.every((step, at) => path[at] === step);
}
