/** Assembles the parts of one answer while it streams. */

import type { NameTable } from '../../runtime/registry/provider-names.ts';
import type { DraftPart } from '../session/log/draft.ts';
import type {
  AskedCall,
  AssistantPart,
  ModelPart,
  ModelRef,
  Opaque,
} from '../../runtime/spec/model.ts';
import type { JsonObject } from '../../runtime/spec/json.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import { readArguments } from '../../runtime/spec/read-arguments.ts';
import { replayProvider } from '../../runtime/spec/recording.ts';
import { isBuiltIn } from '../../runtime/spec/tool.ts';
import { findCalledTool, maxNameChars } from './called-tool.ts';

/** Limit for the calls of one answer that run. One more is logged, to inform the model. */
export const maxCalls = 128;
/** Limit for the characters of one answer, which must fit in the log. */
const maxChars = 1_000_000;

export interface AnswerPartsDeps {
  readonly model: ModelRef;
  readonly names: NameTable;
  readonly newId: () => string;
}

export class AnswerParts {
  readonly #deps: AnswerPartsDeps;
  readonly #parts: DraftPart[] = [];
  /** The index of each part by its key. */
  readonly #indexes = new Map<string, number>();
  readonly #askedIds = new Set<string>();
  #chars = 0;

  constructor(deps: AnswerPartsDeps) {
    this.#deps = deps;
  }

  /** All parts so far, including calls that are still being written. */
  get draft(): readonly DraftPart[] {
    return [...this.#parts];
  }

  /** All parts except calls that are still being written. */
  get complete(): readonly AssistantPart[] {
    return this.#parts.filter((part) => part.type !== 'writing-call');
  }

  /** @throws {ModelError} if the answer is too long for the log */
  add(part: Exclude<ModelPart, { type: 'ended' }>): void {
    this.#chars += this.#charsOf(part);
    if (this.#chars > maxChars)
      throw new ModelError(
        'provider',
        `The answer is longer than ${maxChars.toLocaleString('en')} characters.`,
        'Ask for less, or choose another model.',
      );
    switch (part.type) {
      case 'text':
      case 'reasoning': {
        const key = `${part.type} ${part.id}`;
        const before = this.#get(key);
        if (before?.type === part.type)
          this.#set(key, { ...before, text: before.text + part.delta });
        else this.#push(key, { type: part.type, text: part.delta });
        return;
      }
      case 'was-reasoning':
        this.#turnToReasoning(part.id);
        return;
      case 'call-delta':
        this.#addArguments(`call ${part.id}`, part.wire, part.delta);
        return;
      case 'call':
        this.#addCall(`call ${part.id}`, part);
        return;
      case 'part-ended':
        this.#addOpaque(part.id, this.#opaqueOf(part.data));
    }
  }

  #turnToReasoning(id: string): void {
    const index = this.#indexes.get(`text ${id}`);
    const part = this.#parts[index ?? -1];
    if (index === undefined || part?.type !== 'text') return;
    this.#parts[index] = { ...part, type: 'reasoning' };
    this.#indexes.delete(`text ${id}`);
  }

  #addArguments(key: string, wire: string, delta: string): void {
    const before = this.#get(key);
    if (before?.type === 'writing-call')
      this.#set(key, { ...before, arguments: before.arguments + delta });
    else if (before === undefined)
      this.#push(key, { type: 'writing-call', wire: this.#findTool(wire).wire, arguments: delta });
  }

  #addCall(key: string, part: Extract<ModelPart, { type: 'call' }>): void {
    if (this.#askedIds.size > maxCalls) return;
    const opaque = this.#opaqueOf(part.data);
    const read = readArguments(part.arguments);
    const fault = part.isInText === true ? 'in-text' : (read?.fault ?? null);
    const call: AskedCall = {
      type: 'call',
      id: this.#deps.newId(),
      askedId: this.#uniqueId(part.id),
      ...this.#findTool(part.wire),
      arguments: read === null || fault === null ? part.arguments : read.text,
      ...(fault === null ? {} : { argumentFault: fault }),
      ...(opaque === undefined ? {} : { opaque }),
    };
    if (this.#get(key)?.type === 'writing-call') this.#set(key, call);
    else this.#push(key, call);
  }

  /** Finds the tool that a name means. Recordings call tools by their ids, which the user has seen before playing. */
  #findTool(calledName: string): Pick<AskedCall, 'wire' | 'tool'> {
    const { model, names } = this.#deps;
    const wire = calledName.slice(0, maxNameChars);
    // @mutant recordings call only tools that their preview names => model.provider !== replayProvider -> true
    //   [src/app/playing.test.ts]
    if (model.provider !== replayProvider)
      return { wire, tool: findCalledTool(calledName, names.entries) };
    const isExact = isBuiltIn(calledName) || names.toWire(calledName) !== undefined;
    return { wire: names.toWire(calledName) ?? wire, tool: isExact ? calledName : '' };
  }

  #addOpaque(id: string, opaque: Opaque | undefined): void {
    if (opaque === undefined) return;
    for (const type of ['text', 'reasoning'] as const) {
      const part = this.#get(`${type} ${id}`);
      if (part?.type === type) this.#set(`${type} ${id}`, { ...part, opaque });
      // Some providers send opaque data without any text.
      else if (type === 'reasoning' && !this.#indexes.has(`text ${id}`))
        this.#push(`reasoning ${id}`, { type, text: '', opaque });
    }
  }

  #get(key: string): DraftPart | undefined {
    return this.#parts[this.#indexes.get(key) ?? -1];
  }

  #set(key: string, part: DraftPart): void {
    const index = this.#indexes.get(key);
    if (index !== undefined) this.#parts[index] = part;
  }

  #push(key: string, part: DraftPart): void {
    this.#indexes.set(key, this.#parts.length);
    this.#parts.push(part);
  }

  /** Results refer to calls by id, so ids must be unique. */
  #uniqueId(askedId: string): string {
    const asked = askedId.slice(0, maxNameChars);
    let unique = asked === '' ? this.#deps.newId() : asked;
    for (let n = 2; this.#askedIds.has(unique); n += 1) unique = `${asked}_${n}`;
    this.#askedIds.add(unique);
    return unique;
  }

  /** Counts only the characters of a call that its deltas did not contain. */
  #charsOf(part: Exclude<ModelPart, { type: 'ended' }>): number {
    if ('delta' in part) return part.delta.length;
    if (part.type === 'was-reasoning') return 0;
    const { data } = part;
    const dataChars = data === undefined ? 0 : JSON.stringify(data).length;
    if (part.type !== 'call') return dataChars;
    const before = this.#get(`call ${part.id}`);
    const counted = before?.type === 'writing-call' ? before.arguments.length : 0;
    return dataChars + Math.max(0, part.arguments.length - counted);
  }

  #opaqueOf(data: JsonObject | undefined): Opaque | undefined {
    return data === undefined ? undefined : { made: this.#deps.model, data };
  }
}
