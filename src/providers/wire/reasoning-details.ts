/**
 * What OpenRouter sends of reasoning besides its text: signatures and what is encrypted. Models that think between their
 * calls are to have it back, in order, with the answer that it came with.
 */

import { asObject } from '../../spec/guards.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import { ofAnswer, type ModelPart } from '../../spec/model.ts';

export class ReasoningDetails {
  readonly #found: JsonObject[] = [];

  /** A line of the stream. */
  read(line: string): void {
    if (!line.includes('"reasoning_details"')) return;
    for (const detail of detailsIn(line)) this.#add(detail);
  }

  /** The parts of the answer, with what was found behind them. */
  async *behind(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
    for await (const part of parts) {
      // Without them the text says as much.
      if (part.type === 'ended' && this.#found.some(isSealed))
        yield {
          ...{ type: 'part-ended', id: 'reasoning details' },
          data: { [ofAnswer]: { openaiCompatible: { reasoning_details: this.#found } } },
        };
      yield part;
    }
  }

  /** Texts come in pieces, and a signature with the last of them. */
  #add(detail: JsonObject): void {
    const last = this.#found.at(-1);
    if (last === undefined || !isPieceOf(last, detail)) {
      this.#found.push(detail);
      return;
    }
    const { text, summary, ...rest } = detail;
    const reported = Object.entries(rest).filter(([, value]) => value !== null);
    Object.assign(last, Object.fromEntries(reported));
    if (typeof text === 'string') last.text = `${textOf(last.text)}${text}`;
    if (typeof summary === 'string') last.summary = `${textOf(last.summary)}${summary}`;
  }
}

function isPieceOf(last: JsonObject, { type, index }: JsonObject): boolean {
  return (
    last.type === type &&
    last.index === index &&
    (type === 'reasoning.text' || type === 'reasoning.summary')
  );
}

function isSealed({ data, signature }: JsonObject): boolean {
  return textOf(data) !== '' || textOf(signature) !== '';
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function detailsIn(line: string): JsonObject[] {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^data:/, ''));
  } catch {
    return [];
  }
  const { choices } = asObject(value);
  const { reasoning_details: details } = asObject(asObject(listOf(choices)[0]).delta);
  return listOf(details).map(asObject);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
