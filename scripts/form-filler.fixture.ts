/** Fills a form like a user: by what each of its controls can do. */

import { expect } from 'vitest';
import type { Json, JsonObject } from '../src/runtime/spec/json.ts';
import type { ArgumentForm } from '../src/app/ui/tools/forms/argument-form.svelte.ts';
import { toPointer, type ArgumentPath } from '../src/app/ui/tools/forms/argument-place.ts';
import { controlOf, readTypedNumber } from '../src/app/ui/tools/forms/field-control.ts';
import type { Shape } from '../src/app/ui/tools/forms/form-schema.ts';
import { groupEntries } from '../src/app/ui/tools/forms/group-entries.ts';
import { contentOf, isSame, type JsonValue } from '../src/app/ui/tools/forms/json-value.ts';
import { branchOf } from '../src/app/ui/tools/forms/fitting-alternative.ts';

/** Longer texts are entered at once; characters. */
const maxTyped = 30;

/** Fills forms, and notes which values no control could take, so that only the JSON view could. */
export class FormFiller {
  readonly form: ArgumentForm;
  /** JSON Pointers, each with the control that was there. */
  readonly unreachable: string[] = [];

  constructor(form: ArgumentForm) {
    this.form = form;
  }

  /** Makes the value at a path equal to the wanted one. */
  enter(path: ArgumentPath, schema: Json, wanted: JsonValue): void {
    const { form } = this;
    const outer = this.#outer(path, schema);
    for (let level = 0; level < 3; level += 1) {
      const { choosers } = form.choosers(path, outer, this.#at(path));
      const chooser = choosers[level];
      if (chooser === undefined) break;
      const next = branchOf(form.schema, chooser.branches, wanted);
      if (next !== chooser.index) form.choose(path, chooser, next, this.#at(path));
    }
    const { shape } = form.choosers(path, outer, this.#at(path));
    const value = this.#at(path);
    const control = controlOf(shape, value, path.length);
    const isOfKind = wanted.kind === (control === 'long text' ? 'string' : control);
    switch (control) {
      case 'choice': {
        const choice = shape.choices?.find(({ text }) => isSame(wanted, text));
        if (choice === undefined) this.#force(path, wanted, control);
        // An equal value in another notation, such as 1.0 for 1, is not offered.
        else form.insert(path, wanted.kind === 'number' ? wanted.text : choice.text);
        break;
      }
      case 'object':
      case 'array':
        if (!isOfKind) this.#force(path, wanted, control);
        else {
          if (value === undefined) form.add(path, shape);
          this.enterGroup(path, schema, wanted);
        }
        break;
      case 'text':
      case 'long text':
        if (wanted.kind === 'string')
          this.#type(path, outer, contentOf(wanted), (text) =>
            form.set(path, JSON.stringify(text)),
          );
        else this.#force(path, wanted, control);
        break;
      case 'json':
        form.setTyped(path, wanted.text);
        break;
      case 'number':
        if (isOfKind)
          this.#type(path, outer, wanted.text, (text) =>
            form.setNumber(path, readTypedNumber(text) ?? text),
          );
        else this.#force(path, wanted, control);
        break;
      default:
        if (isOfKind) form.set(path, wanted.text);
        else this.#force(path, wanted, control);
    }
  }

  enterGroup(path: ArgumentPath, schema: Json, wanted: JsonValue): void {
    const { form } = this;
    if (wanted.kind === 'object') {
      const there = this.#at(path);
      if (there?.kind === 'object')
        for (const name of there.members.keys())
          if (!wanted.members.has(name)) form.remove([...path, name]);
      for (const [name, member] of wanted.members) {
        const own = form.schema.memberSchema(this.#shape(path, schema), name);
        if (own === false) this.#force([...path, name], member, 'forbidden name');
        else this.enter([...path, name], own, member);
      }
    }
    if (wanted.kind !== 'array') return;
    const there = this.#at(path);
    const count = there?.kind === 'array' ? there.items.length : 0;
    for (let index = count - 1; index >= wanted.items.length; index -= 1)
      form.remove([...path, index]);
    for (const [index, item] of wanted.items.entries()) {
      const own = form.schema.itemSchema(this.#shape(path, schema), index);
      if (index >= count) form.add([...path, index], form.schema.shape(own));
      this.enter([...path, index], own, item);
    }
  }

  #shape(path: ArgumentPath, schema: Json) {
    return this.form.choosers(path, this.#outer(path, schema), this.#at(path)).shape;
  }

  #outer(path: ArgumentPath, schema: Json): Shape {
    return path.length === 0 ? this.form.schema.root : this.form.schema.shape(schema);
  }

  /** Types a text key by key. The chosen alternatives stay, whatever the text is in between. */
  #type(path: ArgumentPath, outer: Shape, text: string, write: (text: string) => void): void {
    const chosen = (): readonly number[] =>
      this.form.choosers(path, outer, this.#at(path)).choosers.map(({ index }) => index);
    const before = chosen();
    for (let length = text.length > maxTyped ? text.length : 1; length < text.length; length += 1) {
      write(text.slice(0, length));
      expect(chosen()).toEqual(before);
    }
    write(text);
    expect(chosen()).toEqual(before);
  }

  #force(path: ArgumentPath, wanted: JsonValue, control: string): void {
    this.unreachable.push(`${toPointer(path)} ${control}`);
    this.form.setTyped(path, wanted.text);
  }

  #at(path: ArgumentPath): JsonValue | undefined {
    let value: JsonValue | undefined =
      typeof this.form.value === 'string' ? undefined : this.form.value;
    for (const step of path) {
      if (value?.kind === 'object') value = value.members.get(String(step));
      else value = value?.kind === 'array' ? value.items[Number(step)] : undefined;
    }
    return value;
  }
}

/** The tokens of a value, with members sorted. */
export function canonical(value: JsonValue | null): unknown {
  if (value?.kind === 'object')
    return [...value.members].map(([name, member]) => [name, canonical(member)]).sort();
  if (value?.kind === 'array') return value.items.map(canonical);
  return value?.kind === 'string' ? JSON.stringify(contentOf(value)) : value?.text;
}

/** Walks what the page would show; a part without another control is marked JSON. */
export function everyFieldHasAControl(form: ArgumentForm, parameters: JsonObject): void {
  if (typeof form.value === 'string') throw new Error(form.value);
  const seen: string[] = [];
  const walk = (path: ArgumentPath, schema: Json, value: JsonValue | undefined): void => {
    const outer = path.length === 0 ? form.schema.root : form.schema.shape(schema);
    const { shape } = form.choosers(path, outer, value);
    const control = path.length === 0 ? 'object' : controlOf(shape, value, path.length);
    seen.push(control);
    if (value?.kind !== control || (value.kind !== 'object' && value.kind !== 'array')) return;
    const entries = groupEntries(form.schema, shape, path, value);
    // Nothing that is there vanishes.
    const there = value.kind === 'object' ? [...value.members.keys()] : [...value.items.keys()];
    const shown = new Set(entries.map((entry) => entry.path.at(-1)));
    expect(there.filter((step) => !shown.has(step))).toEqual([]);
    for (const entry of entries) walk(entry.path, entry.schema, entry.value);
  };
  walk([], parameters, form.value);
  expect(seen.length).toBeGreaterThan(0);
}
