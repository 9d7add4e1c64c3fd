/**
 * Finds the problems of arguments while the user types: invalid JSON, or otherwise the errors that a run would report,
 * which a worker finds.
 */

import type { ArgumentChecking } from '../../../../runtime/sandbox/argument-checker.ts';
import type { ArgumentError } from '../../../../runtime/protocol/argument-check.ts';
import { exactText } from '../../../../runtime/spec/exact-json.ts';
import type { Json, JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import { checkedChars, type Draft } from './draft.svelte.ts';
import { isObject, isRecord, parseJson } from '../../../../runtime/spec/guards.ts';
import { pointerKeys } from '../../../../runtime/spec/schema-walk.ts';
import { jsonFault, type JsonFault } from '../../json/json-fault.ts';
import { listProperties, memberOf } from '../page/schema-node.ts';
import type { ArgumentPath } from './argument-place.ts';

/** Delay after the last key press, so that fast typing does not start a check for each key. Milliseconds. */
const pauseMs = 120;

const none: readonly ArgumentError[] = [];

/** The errors of arguments, checked in a worker with the same result as in a run. */
export class ArgumentErrors {
  readonly #checking: Promise<ArgumentChecking>;
  #schema: JsonText = '';
  #of: JsonObject | null = null;
  all: readonly ArgumentError[] = $state.raw(none);
  /** Whether the arguments could not be checked; a run still checks them. */
  unchecked: boolean = $state(false);
  #stop = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #byPointer = $derived(
    new Map(this.all.map(({ pointer, message }) => [pointer, message])),
  );

  constructor(checking: Promise<ArgumentChecking>) {
    this.#checking = checking;
  }

  /** The error of one value; empty if there is none. */
  at(pointer: string): string {
    return this.#byPointer.get(pointer) ?? '';
  }

  below(pointer: string): readonly ArgumentError[] {
    return this.all.filter((error) => error.pointer.startsWith(`${pointer}/`));
  }

  /** The notes on a draft, with the errors that the last check has found; null if the draft is too long. */
  notes(draft: Draft, parameters: JsonObject, isForm: boolean): ArgumentNotes | null {
    if (draft.text.length > checkedChars) return null;
    const { fault, remarks } = argumentNotes(draft.text, parameters);
    const found = remarksOf(this.all, draft, !isForm || draft.asked);
    return { fault, remarks: [...found, ...remarks] };
  }

  /** Schedules a check of the text. Until it ends, the errors of the last text stay. @param text null if it is not valid JSON */
  update(parameters: JsonObject, text: JsonText | null): void {
    this.#cancel();
    if (parameters !== this.#of) {
      this.#of = parameters;
      this.#schema = exactText(parameters);
      this.all = none;
    }
    if (text === null || text.length > checkedChars) {
      this.all = none;
      return;
    }
    this.#timer = setTimeout(() => void this.#check(text), pauseMs);
  }

  dispose(): void {
    this.#cancel();
    this.#checking.then(
      (checking) => checking.dispose(),
      // The page shows that its parts could not be loaded.
      () => undefined,
    );
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  async #check(text: JsonText): Promise<void> {
    const { signal } = this.#stop;
    try {
      const errors = await (await this.#checking).check(signal, this.#schema, text);
      if (signal.aborted) return;
      const found = errors ?? none;
      // Every field of the form follows the list, so it stays the same object while nothing in it changes.
      if (JSON.stringify(found) !== JSON.stringify(this.all)) this.all = found;
      this.unchecked = errors === null;
    } catch {
      if (signal.aborted) return;
      // The check was too slow, or its worker could not be loaded. The run still checks the arguments.
      this.all = none;
      this.unchecked = true;
    }
  }
}

export interface Remark {
  readonly text: string;
  readonly path: ArgumentPath;
}

export interface ArgumentNotes {
  /** The text cannot be sent. */
  readonly fault: JsonFault | null;
  /** The text can be sent, but the call will reject it. */
  readonly remarks: readonly Remark[];
}

/** Finds JSON errors and names that the schema does not declare. */
export function argumentNotes(text: string, parameters: JsonObject): ArgumentNotes {
  const fault = jsonFault(text);
  if (fault !== null) return { fault, remarks: [] };
  const value = JSON.parse(text) as Json;
  if (!isObject(value)) {
    const message = 'Arguments must be a JSON object: { … }';
    return { fault: { offset: 0, line: 1, column: 1, message }, remarks: [] };
  }
  return { fault: null, remarks: unknownArguments(value, parameters) };
}

/**
 * Turns the errors of a check into remarks on the draft, which may have changed since the check.
 * @param withEmpty whether to remark on empty fields
 */
export function remarksOf(
  errors: readonly ArgumentError[],
  { formText: text, unfinished }: Pick<Draft, 'formText' | 'unfinished'>,
  withEmpty: boolean,
): readonly Remark[] {
  if (errors.length === 0) return [];
  const value = parseJson(text);
  if (value === undefined) return [];
  return errors
    .map(({ path, pointer, message }) => ({
      // `path` is for people: `$.stops[0]` becomes `stops[0]`. `pointer` names the same place: `/stops/0`.
      text: `${path === '$' ? 'The arguments' : path.replace(/^\$\.?/, '')} ${message}`,
      ...placeOf(pointer, value),
    }))
    .filter(({ found }) => withEmpty || !isEmpty(found, unfinished))
    .map(({ text: words, path }) => ({ text: words, path }));
}

/**
 * Whether a field has no value yet. In `formText`, a placeholder, which is a string, stands for each value that cannot be sent,
 * and `unfinished` tells by the placeholder's JSON text why.
 */
function isEmpty(found: unknown, unfinished: Draft['unfinished']): boolean {
  if (found === undefined) return true;
  return typeof found === 'string' && unfinished.get(JSON.stringify(found))?.why === 'empty';
}

/** Follows a pointer into the arguments. Returns its path, and the value that is there now. */
function placeOf(pointer: string, value: unknown): { path: ArgumentPath; found: unknown } {
  let found = value;
  const path = pointerKeys(pointer).map((key) => {
    const step = Array.isArray(found) ? Number(key) : key;
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
    return step;
  });
  return { path, found };
}

/** Arguments that the schema neither declares nor forbids, so the handler will probably not accept them. */
function unknownArguments(value: JsonObject, parameters: JsonObject): Remark[] {
  const closing = ['additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'];
  if (closing.some((key) => memberOf(parameters, key) !== undefined)) return [];
  if (!Object.hasOwn(parameters, 'properties')) return [];
  const known = new Set(listProperties(parameters).map(([name]) => name));
  return Object.keys(value)
    .filter((name) => !known.has(name))
    .map((name) => ({ text: `${name} is not in the schema`, path: [name] }));
}
