/**
 * The argument form of one tool: reads the draft's text as values, and changes one value of the text at a time.
 *
 * - A shape is what the form knows of the schema of one value, with the alternative that is chosen in each union, and
 *   with what the schema's conditions add for this value.
 * - An unfinished value cannot be sent yet. `formText`, which the form reads and writes, has a placeholder in its place;
 *   the draft's `text` has what the user typed.
 * - A change can change the shape of an object. Its members that no longer apply are then dropped and remembered, and
 *   restored when they apply again; this is called settling.
 */

import { Budget } from '../../../../runtime/async/pace.ts';
import type { Json, JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import { Alternatives, type Chooser, DroppedValues } from './alternative-choices.svelte.ts';
import { toPointer, type ArgumentPath } from './argument-place.ts';
import { convertValue, firstText, formSchema, isNumber, memberText } from './argument-template.ts';
import type { Draft, Unfinished } from './draft.svelte.ts';
import { hasField, type FormSchema, type Shape } from './form-schema.ts';
import { withItemsSwapped, withoutValue, withValue } from './json-edit.ts';
import { isSame, type JsonValue, type ObjectValue, parseValue, valueInside } from './json-value.ts';
import { findNeededNames } from './schema-properties.ts';
import { parseJson } from '../../../../runtime/spec/guards.ts';

/** Longest text that is shown as a form; characters. */
const longestForm = 2_000_000;
/** Maximum number of items that are added at once to a new list. */
const maxItems = 16;
/** Lists at this depth begin empty. */
const maxListDepth = 4;
/** Maximum number of values that one change can drop or restore. */
const maxSettled = 200;

/** What a form needs to know of a tool. */
export interface FormTool {
  readonly parameters: JsonObject;
  /** Whether the tool takes arguments that `parameters` does not declare. */
  readonly takesMore?: true | undefined;
}

/** How the shape of an object has changed. */
interface ChangedShape {
  readonly earlier: Shape;
  readonly now: Shape;
  /** The member that the user is changing, which is never dropped. */
  readonly edited?: string | number | undefined;
}

/** Why the draft cannot be shown as a form. */
export type Unshown = 'broken' | 'no object' | 'too large';

export class ArgumentForm {
  readonly schema: FormSchema;
  readonly #takesMore: boolean;
  readonly #draft: Draft;
  readonly #alternatives: Alternatives;
  readonly #dropped = new DroppedValues();
  /** The value that was read last. The next value reuses those of its parts that have not changed. */
  #last: JsonValue | null = null;
  readonly #value = $derived.by(() => this.#read());
  /** The draft's `text` when this form wrote or read it last. Any other text comes from outside the form. */
  #known: JsonText | null = null;
  /** The field that must be visible, even if its group is closed. */
  revealed: ArgumentPath | null = $state.raw(null);

  constructor(draft: Draft, { parameters, takesMore }: FormTool) {
    this.#takesMore = takesMore === true;
    this.#draft = draft;
    this.schema = formSchema(parameters);
    this.#alternatives = Alternatives.of(draft, this.schema);
  }

  /** The arguments, or the reason that they cannot be shown. */
  get value(): ObjectValue | Unshown {
    return this.#value;
  }

  /** Whether the user may add members to an object that its schema does not declare. */
  offersNames(path: ArgumentPath, { additional, patterns }: Shape): boolean {
    return (path.length > 0 || this.#takesMore) && (additional !== false || patterns.length > 0);
  }

  get isAsked(): boolean {
    return this.#draft.asked;
  }

  reveal(path: ArgumentPath): void {
    this.revealed = path;
  }

  set(path: ArgumentPath, text: JsonText): void {
    this.#edit(path, (before) => withValue(before, path, text));
  }

  /** Like {@link set}, but indents the value like the text around it. */
  insert(path: ArgumentPath, text: JsonText): void {
    this.#edit(path, (before) => withValue(before, path, text, { fit: true }));
  }

  /** Inserts a value that the schema suggests, with the alternative that fits it. */
  suggest(path: ArgumentPath, text: JsonText): void {
    this.insert(path, text);
    this.#alternatives.forget(path);
  }

  remove(path: ArgumentPath): void {
    const step = path.at(-1);
    if (typeof step === 'number')
      this.#followMoves(path.slice(0, -1), (index) => {
        if (index === step) return null;
        return index > step ? index - 1 : index;
      });
    else this.#alternatives.forgetBelow(path);
    this.#edit(path, (before) => withoutValue(before, path));
  }

  /**
   * Adds a member or an item, with the value that its schema gives, or empty.
   * @param items how many items a new list begins with
   */
  add(path: ArgumentPath, shape: Shape, items = shape.minItems): void {
    const text = firstText(this.schema, shape);
    if (text === null) {
      this.empty(path);
      return;
    }
    this.insert(path, text);
    if (text !== '[]' || path.length >= maxListDepth) return;
    for (let index = 0; index < Math.min(items, maxItems); index += 1) {
      const item = this.schema.itemSchema(shape, index);
      if (item === true || item === false) break;
      this.add([...path, index], this.schema.shape(item));
    }
  }

  /** Leaves a declared member out; an item, or a member that only its value shows, stays as an empty field. */
  empty(path: ArgumentPath): void {
    if (this.#isDeclared(path)) this.remove(path);
    else this.#leave(path, { text: 'null', why: 'empty' });
  }

  swap(path: ArgumentPath, one: number, other: number): void {
    this.#followMoves(path, (index) => {
      if (index === one) return other;
      return index === other ? one : index;
    });
    this.#edit(path, (before) => withItemsSwapped(before, path, one, other));
  }

  /**
   * Writes a value that the user types as JSON, valid or not.
   * @param text not empty
   * @param options.takesText whether input that is not JSON is taken as text
   */
  setTyped(path: ArgumentPath, text: string, { takesText = false } = {}): void {
    if (isJson(text)) this.set(path, text.trim());
    else if (takesText && isPlainText(text)) this.set(path, JSON.stringify(text));
    else this.#leave(path, { text, why: 'no json' });
  }

  /** Writes the text that the user types into a number field. An incomplete number is kept as text, and not sent. */
  setNumber(path: ArgumentPath, text: string): void {
    if (isNumber(text)) this.set(path, text);
    else this.#leave(path, { text: JSON.stringify(text), why: 'no number' });
  }

  /** Information about a value that cannot be sent yet; undefined if the value can be sent. */
  unfinished(value: JsonValue | undefined): Unfinished | undefined {
    return value === undefined ? undefined : this.#draft.unfinished.get(value.text);
  }

  /** Says why the user must enter a value; empty if there is one, if none is needed, and before the form asks. */
  missingWords(
    path: ArgumentPath,
    given: JsonValue | undefined,
    { isRequired }: { readonly isRequired: boolean },
  ): string {
    if (!this.isAsked || given !== undefined) return '';
    if (isRequired) return 'is required';
    const { shapes, value } = this.#shapesTo(path.slice(0, -1));
    const shape = shapes.at(-1);
    if (shape === undefined || shape.needs.length === 0 || value?.kind !== 'object') return '';
    const isAllowed = (name: string): boolean => this.schema.memberSchema(shape, name) !== false;
    return findNeededNames(shape.needs, value, isAllowed).get(String(path.at(-1))) ?? '';
  }

  /** The choosers of a value, outermost first, and the schema of the chosen alternative for this value. */
  choosers(
    path: ArgumentPath,
    outermost: Shape,
    value: JsonValue | undefined,
  ): { readonly choosers: readonly Chooser[]; readonly shape: Shape } {
    return this.#alternatives.choosers(path, outermost, value);
  }

  /**
   * Switches to another alternative: restores its last value, keeps what both have in common, or uses the schema's
   * first value.
   */
  choose(path: ArgumentPath, chooser: Chooser, next: number, value: JsonValue | undefined): void {
    const target = chooser.branches[next];
    if (target === undefined) return;
    const { unfinished } = this.#draft;
    const restored = this.#alternatives.choose(path, chooser, next, value && { value, unfinished });
    const finished = this.unfinished(value) === undefined ? value : undefined;
    const text = restored?.value.text ?? convertValue(finished, target, this.schema);
    if (text === null) {
      if (value !== undefined) this.empty(path);
      return;
    }
    const change = (before: JsonText): JsonText => withValue(before, path, text, { fit: true });
    this.#edit(path, change, { unfinished: this.#withUnfinishedOf(restored) });
  }

  /** Names in an object whose values were left out because they no longer apply. */
  dropped(path: ArgumentPath): readonly string[] {
    // Text from outside the form clears what the form remembers.
    if (typeof this.value === 'string') return [];
    return this.#dropped.at(toPointer(path));
  }

  /** Puts a placeholder into the text for a value that cannot be sent yet, and remembers the value. */
  #leave(path: ArgumentPath, value: Unfinished): void {
    const { unfinished } = this.#draft;
    const before = this.#shapesTo(path).value;
    if (before !== undefined && unfinished.has(before.text)) {
      // The text already has a placeholder here.
      const all = new Map(unfinished).set(before.text, value);
      this.#edit(path, (text) => text, { unfinished: all });
      return;
    }
    const placeholder = JSON.stringify(`unfinished ${crypto.randomUUID()}`);
    const all = new Map(unfinished).set(placeholder, value);
    this.#edit(path, (text) => withValue(text, path, placeholder), { unfinished: all });
  }

  /** The unfinished values of the draft, and those of a value that is put back into its text. */
  #withUnfinishedOf(putBack: Pick<Draft, 'unfinished'> | undefined): Draft['unfinished'] {
    return new Map([...(putBack?.unfinished ?? []), ...this.#draft.unfinished]);
  }

  /** Whether the schema shows a member's field even without a value. */
  #isDeclared(path: ArgumentPath): boolean {
    const step = path.at(-1);
    const parent = this.#shapesTo(path.slice(0, -1)).shapes.at(-1);
    if (typeof step !== 'string' || parent === undefined) return false;
    const isNamed = parent.properties.has(step) || parent.required.has(step);
    return isNamed || parent.needs.flat(2).includes(step);
  }

  /** The shapes of the values from the root to a path, as they are chosen now, and the value there. */
  #shapesTo(path: ArgumentPath): { shapes: readonly Shape[]; value: JsonValue | undefined } {
    const { schema } = this;
    let value: JsonValue | undefined = typeof this.value === 'string' ? undefined : this.value;
    let { shape } = this.choosers([], schema.root, value);
    const shapes = [shape];
    for (const [depth, step] of path.entries()) {
      const isItem = typeof step === 'number';
      const inner = isItem ? schema.itemSchema(shape, step) : schema.memberSchema(shape, step);
      value = valueInside(value, step);
      ({ shape } = this.choosers(path.slice(0, depth + 1), schema.shape(inner), value));
      shapes.push(shape);
    }
    return { shapes, value };
  }

  /**
   * Changes the text at a path, then settles the objects from the root to this path whose shape has changed. Settling
   * edits in turn. It ends because each member that it drops or restores takes a step of the budget; once that is spent,
   * the other members stay as they are.
   * @param options.unfinished the unfinished values of the new text; by default those of the text before
   */
  #edit(
    path: ArgumentPath,
    change: (text: JsonText) => JsonText,
    { unfinished = this.#draft.unfinished, budget = new Budget(maxSettled) } = {},
  ): void {
    const before = this.#shapesTo(path).shapes;
    this.#write(change(this.#draft.formText), unfinished);
    const { shapes } = this.#shapesTo(path);
    for (const [depth, shape] of shapes.entries()) {
      const earlier = before[depth];
      if (earlier !== undefined && earlier !== shape)
        this.#settle(path.slice(0, depth), { earlier, now: shape, edited: path[depth] }, budget);
    }
  }

  /** Drops the members of an object that its new shape does not have, and brings back those that it has again. */
  #settle(at: ArgumentPath, change: ChangedShape, budget: Budget): void {
    const value = this.#shapesTo(at).value;
    if (value?.kind !== 'object') return;
    if (this.#dropMembers(at, value, change, budget))
      this.#restoreMembers(at, value, change, budget);
  }

  /** Drops members, also inside members whose own shape has changed. @returns false if the budget is used up */
  #dropMembers(
    at: ArgumentPath,
    { members }: ObjectValue,
    { earlier, now, edited }: ChangedShape,
    budget: Budget,
  ): boolean {
    const { schema } = this;
    for (const [name, member] of members) {
      if (name === edited || !hasField(earlier, name)) continue;
      const path = [...at, name];
      const earlierSchema = schema.memberSchema(earlier, name);
      const memberSchema = schema.memberSchema(now, name);
      if (!hasField(now, name)) {
        if (!budget.take()) return false;
        const initial = memberText(schema, earlierSchema, earlier.required.has(name));
        const { unfinished } = this.#draft;
        // A value that the schema gives can be made again, so it is not remembered.
        if (initial === null || !isSame(member, initial))
          this.#dropped.keep(toPointer(at), name, { text: member.text, unfinished });
        this.#edit(path, (text) => withoutValue(text, path), { budget });
      } else if (earlierSchema !== memberSchema) {
        const shapeOf = (each: Json): Shape => schema.shapeFor(schema.shape(each), member);
        const changed = { earlier: shapeOf(earlierSchema), now: shapeOf(memberSchema) };
        this.#settle(path, changed, budget);
      }
    }
    return true;
  }

  /** Adds the members that only the new shape has, with the value that was dropped or the one that the schema gives. */
  #restoreMembers(
    at: ArgumentPath,
    { members }: ObjectValue,
    { earlier, now, edited }: ChangedShape,
    budget: Budget,
  ): void {
    for (const [name, property] of now.properties) {
      if (members.has(name) || name === edited || hasField(earlier, name)) continue;
      const path = [...at, name];
      const dropped = this.#dropped.take(toPointer(at), name);
      const text = dropped?.text ?? memberText(this.schema, property, now.required.has(name));
      if (text === null || !hasField(now, name) || !budget.take()) continue;
      const unfinished = this.#withUnfinishedOf(dropped);
      const change = (before: JsonText): JsonText => withValue(before, path, text, { fit: true });
      this.#edit(path, change, { unfinished, budget });
    }
  }

  /**
   * Updates what is remembered below a list whose items have moved.
   * @param newIndex null for an item that was removed
   */
  #followMoves(list: ArgumentPath, newIndex: (index: number) => number | null): void {
    const moved = (key: string): string | null => {
      const start = `${toPointer(list)}/`;
      // A key is a pointer, possibly followed by `#` and a level.
      const [index = ''] = key.startsWith(start) ? key.slice(start.length).split(/[/#]/, 1) : [];
      if (index === '') return key;
      const next = newIndex(Number(index));
      return next === null ? null : `${start}${next}${key.slice(start.length + index.length)}`;
    };
    this.#alternatives.move(moved);
    this.#dropped.move(moved);
  }

  #write(text: JsonText, unfinished: Draft['unfinished']): void {
    this.#draft.writeForm(text, unfinished);
    this.#known = this.#draft.text;
  }

  #read(): ObjectValue | Unshown {
    const text = this.#draft.formText;
    if (this.#draft.text !== this.#known) {
      this.#known = this.#draft.text;
      this.#alternatives.textChanged();
      this.#dropped.textChanged();
    }
    if (text.length > longestForm) return 'too large';
    if (!isJson(text)) return 'broken';
    const value = parseValue(text, this.#last);
    if (value === null) return 'too large';
    if (value.kind !== 'object') return 'no object';
    this.#last = value;
    return value;
  }
}

export function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}

/** Whether input in a JSON field can only be meant as text: it is not JSON, and does not begin like JSON. */
export function isPlainText(text: string): boolean {
  return !/^\s*["[{]/.test(text) && !isJson(text);
}
