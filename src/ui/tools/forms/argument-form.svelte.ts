/** The argument form of one tool: reads the draft's text as values, and changes one value of the text at a time. */

import type { JsonObject, JsonText } from '../../../spec/json.ts';
import type { ArgumentPath } from './argument-place.ts';
import { firstText, formSchema } from './argument-template.ts';
import type { Draft } from './draft.svelte.ts';
import type { FormSchema, Shape } from './form-schema.ts';
import { withItemsSwapped, withoutValue, withValue } from './json-edit.ts';
import { contentOf, parseValue, type JsonValue, type ObjectValue } from './json-value.ts';
import { branchOf, isOfType } from './value-fit.ts';

/** Longest text that is shown as a form; characters. */
const longestForm = 2_000_000;

/** Why the draft cannot be shown as a form. */
export type Unshown = 'broken' | 'no object' | 'too large';

/** One choice between alternatives. */
export interface Chooser {
  /** Nesting level among the choosers of one value; 0 is the outermost. */
  readonly level: number;
  readonly branches: readonly Shape[];
  readonly index: number;
}

/** The last value of an alternative. Placeholders in its text stand for unfinished values. */
interface Left {
  readonly text: JsonText;
  readonly unfinished: Draft['unfinished'];
}

/** Levels of nested alternatives that get choosers; deeper ones are edited as JSON. */
const deepestUnion = 3;

const noChoosers: readonly Chooser[] = [];

export class ArgumentForm {
  readonly schema: FormSchema;
  readonly #draft: Draft;
  #last: JsonValue | null = null;
  readonly #value = $derived.by(() => this.#read());
  /** The user's choices of alternatives, by pointer and level. */
  #chosen: ReadonlyMap<string, number> = $state.raw(new Map());
  /** The last value of each alternative that the user has switched away from. */
  readonly #left = new Map<string, Left>();
  /** The text that this form wrote last. The choices apply only to this text. */
  #written: JsonText | null = null;

  constructor(draft: Draft, parameters: JsonObject) {
    this.#draft = draft;
    this.schema = formSchema(parameters);
  }

  /** The arguments, or the reason that they cannot be shown. */
  get value(): ObjectValue | Unshown {
    return this.#value;
  }

  set(path: ArgumentPath, text: JsonText): void {
    this.#write(withValue(this.#draft.formText, path, text));
  }

  /** Like {@link set}, but indents the value like the surrounding text. */
  insert(path: ArgumentPath, text: JsonText): void {
    this.#write(withValue(this.#draft.formText, path, text, true));
  }

  remove(path: ArgumentPath): void {
    if (typeof path.at(-1) === 'number') this.#forget(path.slice(0, -1));
    this.#write(withoutValue(this.#draft.formText, path));
  }

  /** Adds a member or an item with an initial value. */
  add(path: ArgumentPath, shape: Shape): void {
    this.insert(path, firstText(this.schema, shape));
  }

  swap(path: ArgumentPath, one: number, other: number): void {
    this.#forget(path);
    this.#write(withItemsSwapped(this.#draft.formText, path, one, other));
  }

  /** Writes a value that the user types as JSON, valid or not. @param text not empty */
  setTyped(path: ArgumentPath, text: string, before: JsonValue | undefined): void {
    if (isJson(text)) {
      this.set(path, text.trim());
      return;
    }
    const { unfinished, formText } = this.#draft;
    const own =
      before !== undefined && unfinished.has(before.text) ? before.text : newPlaceholder();
    const next = new Map(unfinished).set(own, text);
    this.#write(before?.text === own ? formText : withValue(formText, path, own), next);
  }

  /** The invalid JSON that the user has typed for a value; undefined if the value is valid. */
  unfinished(value: JsonValue | undefined): string | undefined {
    return value === undefined ? undefined : this.#draft.unfinished.get(value.text);
  }

  /** The choosers of a value, outermost first, and the schema of the chosen alternative. */
  choosers(
    path: ArgumentPath,
    outermost: Shape,
    value: JsonValue | undefined,
  ): { readonly choosers: readonly Chooser[]; readonly shape: Shape } {
    if (outermost.branches === null) return { choosers: noChoosers, shape: outermost };
    const choosers: Chooser[] = [];
    let shape = outermost;
    while (choosers.length < deepestUnion) {
      const branches = shape.branches?.() ?? [];
      if (branches.length === 0) break;
      const level = choosers.length;
      const index = this.#branch(path, level, branches, value);
      choosers.push({ level, branches, index });
      const own = branches[index];
      if (own === undefined) break;
      shape = own;
    }
    return { choosers, shape };
  }

  /** Switches to another alternative: restores its last value, keeps what both have in common, or starts with an initial value. */
  choose(
    path: ArgumentPath,
    { level, branches, index }: Chooser,
    next: number,
    value: JsonValue | undefined,
  ): void {
    const target = branches[next];
    if (target === undefined) return;
    const at = place(path, level);
    const { unfinished, formText } = this.#draft;
    if (value !== undefined) this.#left.set(`${at} ${index}`, { text: value.text, unfinished });
    const left = this.#left.get(`${at} ${next}`);
    const text = left?.text ?? this.#converted(target, value);
    const all = new Map([...(left?.unfinished ?? []), ...unfinished]);
    this.#write(withValue(formText, path, text, true), all);
    const kept = [...this.#chosen].filter(([each]) => !isBelow(each, path) || each < at);
    this.#chosen = new Map(kept).set(at, next);
  }

  #converted(target: Shape, value: JsonValue | undefined): JsonText {
    const first = firstText(this.schema, target);
    if (value === undefined || target.choices !== null) return first;
    const [type] = target.types ?? [];
    if (value.kind === 'string' && (type === 'number' || type === 'integer')) {
      const content = contentOf(value);
      return isNumber(content) ? content : first;
    }
    if (value.kind === 'number' && type === 'string') return JSON.stringify(value.text);
    if (value.kind !== 'object' || type !== 'object') return first;
    let text = first;
    for (const [name, member] of value.members) {
      const declared = target.properties.get(name);
      if (declared === undefined) continue;
      const own = this.schema.shape(declared);
      if (own.choices === null && isOfType(member, own.types))
        text = withValue(text, [name], member.text);
    }
    return text;
  }

  #branch(
    path: ArgumentPath,
    level: number,
    branches: readonly Shape[],
    value: JsonValue | undefined,
  ): number {
    // Text that this form did not write may match another alternative than the chosen one.
    const chosen =
      this.#draft.text === this.#written ? this.#chosen.get(place(path, level)) : undefined;
    const own = chosen === undefined ? undefined : branches[chosen];
    if (chosen !== undefined && own !== undefined)
      if (value === undefined || isOfType(value, own.types)) return chosen;
    return branchOf(this.schema, branches, value);
  }

  /** Discards choices and values below a list whose items have moved. */
  #forget(path: ArgumentPath): void {
    this.#chosen = new Map([...this.#chosen].filter(([each]) => !isBelow(each, path)));
    for (const each of this.#left.keys()) if (isBelow(each, path)) this.#left.delete(each);
  }

  #write(text: JsonText, unfinished = this.#draft.unfinished): void {
    this.#draft.writeForm(text, unfinished);
    this.#written = this.#draft.text;
  }

  #read(): ObjectValue | Unshown {
    const text = this.#draft.formText;
    if (text.length > longestForm) return 'too large';
    if (!isJson(text)) return 'broken';
    const value = parseValue(text, this.#last);
    if (value === null) return 'too large';
    if (value.kind !== 'object') return 'no object';
    this.#last = value;
    return value;
  }
}

/** A JSON Pointer. */
export function pointer(path: ArgumentPath): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

function place(path: ArgumentPath, level: number): string {
  return `${pointer(path)}#${level}`;
}

function isBelow(each: string, path: ArgumentPath): boolean {
  const at = pointer(path);
  return each.startsWith(`${at}#`) || each.startsWith(`${at}/`);
}

export function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function newPlaceholder(): JsonText {
  return JSON.stringify(`unfinished ${crypto.randomUUID()}`);
}
