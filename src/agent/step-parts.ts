/** Puts the parts of one answer together as they stream. */

import type { NameTable } from '../registry/name-table.ts';
import type { DraftPart } from '../session/draft.ts';
import type { AskedCall, AssistantPart, ModelPart, ModelRef, Opaque } from '../spec/model.ts';
import type { JsonObject } from '../spec/json.ts';
import { ModelError } from '../spec/model-error.ts';
import { isBuiltIn } from './built-in-tools.ts';

/** Calls of one answer that are made; the first beyond them is kept, to say so. */
export const mostCalls = 128;
/** Characters of one answer: the log has to hold it. */
const mostChars = 1_000_000;
/** Characters of the name and the id of a call. */
const longestName = 1_000;

export class StepParts {
  readonly #model: ModelRef;
  readonly #names: NameTable;
  readonly #newId: () => string;
  readonly #parts: DraftPart[] = [];
  /** Where the part of each id is. */
  readonly #places = new Map<string, number>();
  readonly #askedIds = new Set<string>();
  #chars = 0;

  constructor(model: ModelRef, names: NameTable, newId: () => string) {
    this.#model = model;
    this.#names = names;
    this.#newId = newId;
  }

  /** As far as they have come. */
  get draft(): readonly DraftPart[] {
    return [...this.#parts];
  }

  /** Those that are whole: a call that is still being written is none. */
  get whole(): readonly AssistantPart[] {
    return this.#parts.filter((part) => part.type !== 'writing-call');
  }

  /** @throws {ModelError} where the answer has become too long to be kept */
  take(part: Exclude<ModelPart, { type: 'ended' }>): void {
    this.#chars += this.#charsOf(part);
    if (this.#chars > mostChars) throw tooLong();
    switch (part.type) {
      case 'text':
      case 'reasoning':
        this.#text(part.type, part.id, part.delta);
        return;
      case 'call-delta':
        this.#writing(part.id, part.wire, part.delta);
        return;
      case 'call':
        this.#call(part);
        return;
      case 'part-ended':
        this.#ended(part.id, part.data);
    }
  }

  #text(type: 'text' | 'reasoning', id: string, delta: string): void {
    const key = `${type} ${id}`;
    const place = this.#places.get(key);
    const before = place === undefined ? undefined : this.#parts[place];
    if (place !== undefined && before?.type === type)
      this.#parts[place] = { ...before, text: before.text + delta };
    else this.#add(key, { type, text: delta });
  }

  #writing(id: string, wire: string, delta: string): void {
    const key = `call ${id}`;
    const place = this.#places.get(key);
    const before = place === undefined ? undefined : this.#parts[place];
    if (place !== undefined && before?.type === 'writing-call')
      this.#parts[place] = { ...before, arguments: before.arguments + delta };
    else if (before === undefined)
      this.#add(key, {
        ...{ type: 'writing-call', wire: wire.slice(0, longestName), arguments: delta },
      });
  }

  #call(part: Extract<ModelPart, { type: 'call' }>): void {
    if (this.#askedIds.size > mostCalls) return;
    const key = `call ${part.id}`;
    const opaque = this.#opaque(part.data);
    const call: AskedCall = {
      type: 'call',
      id: this.#newId(),
      askedId: this.#unique(part.id),
      wire: part.wire.slice(0, longestName),
      tool: isBuiltIn(part.wire) ? part.wire : (this.#names.toId(part.wire) ?? ''),
      arguments: part.arguments,
      ...(opaque === undefined ? {} : { opaque }),
    };
    const place = this.#places.get(key);
    if (place !== undefined && this.#parts[place]?.type === 'writing-call')
      this.#parts[place] = call;
    else this.#add(key, call);
  }

  #ended(id: string, data: JsonObject | undefined): void {
    const opaque = this.#opaque(data);
    if (opaque === undefined) return;
    for (const type of ['text', 'reasoning'] as const) {
      const place = this.#places.get(`${type} ${id}`);
      const part = place === undefined ? undefined : this.#parts[place];
      if (place !== undefined && part?.type === type) this.#parts[place] = { ...part, opaque };
      // Some hand over what cannot be read, and no text with it.
      else if (type === 'reasoning' && !this.#places.has(`text ${id}`))
        this.#add(`reasoning ${id}`, { type, text: '', opaque });
    }
  }

  #add(key: string, part: DraftPart): void {
    this.#places.set(key, this.#parts.length);
    this.#parts.push(part);
  }

  /** Two calls of one id could not be told apart by their answers. */
  #unique(askedId: string): string {
    const asked = askedId.slice(0, longestName);
    let unique = asked === '' ? this.#newId() : asked;
    for (let n = 2; this.#askedIds.has(unique); n += 1) unique = `${asked}_${n}`;
    this.#askedIds.add(unique);
    return unique;
  }

  /** A call counts with what its deltas had not told yet. */
  #charsOf(part: Exclude<ModelPart, { type: 'ended' }>): number {
    if ('delta' in part) return part.delta.length;
    const { data } = part;
    const own = data === undefined ? 0 : JSON.stringify(data).length;
    if (part.type !== 'call') return own;
    const before = this.#parts[this.#places.get(`call ${part.id}`) ?? -1];
    const told = before?.type === 'writing-call' ? before.arguments.length : 0;
    return own + Math.max(0, part.arguments.length - told);
  }

  #opaque(data: JsonObject | undefined): Opaque | undefined {
    return data === undefined ? undefined : { made: this.#model, data };
  }
}

function tooLong(): ModelError {
  return new ModelError(
    'provider',
    `The answer has more than ${mostChars.toLocaleString('en')} characters.`,
    'Ask for less at once, or choose another model.',
  );
}
