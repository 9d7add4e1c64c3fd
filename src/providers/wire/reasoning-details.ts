/**
 * Collects the reasoning data that OpenRouter sends besides the text: signatures and encrypted parts. Models that
 * reason between calls need it back, in order, with the answer that it belongs to.
 */

import { asObject } from '../../spec/guards.ts';
import type { Json, JsonObject } from '../../spec/json.ts';
import { ofAnswer, type ModelPart } from '../../spec/model.ts';

export class ReasoningDetails {
  readonly #details: JsonObject[] = [];

  /** Collects details from a line of the stream. */
  read(line: string): void {
    if (!line.includes('"reasoning_details"')) return;
    for (const detail of detailsIn(line)) this.#add(detail);
  }

  /** Yields the parts of the answer, followed by the collected data. */
  async *appendTo(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
    for await (const part of parts) {
      // Unsigned details contain no more than the text does.
      if (part.type === 'ended' && this.#details.some(isOpaque))
        yield {
          ...{ type: 'part-ended', id: 'reasoning details' },
          data: { [ofAnswer]: { openaiCompatible: { reasoning_details: this.#details } } },
        };
      yield part;
    }
  }

  /** A text is sent in pieces, and its signature with the last piece. */
  #add(detail: JsonObject): void {
    const last = this.#details.at(-1);
    if (last === undefined || !isPieceOf(last, detail)) {
      this.#details.push(detail);
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

function isOpaque({ data, signature }: JsonObject): boolean {
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
