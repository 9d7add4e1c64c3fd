/**
 * Separates reasoning that a model writes into its text, between <think> and </think>. Models such as DeepSeek R1 and
 * Qwen 3 do so, and servers without support for them leave it in the text.
 */

import type { ModelPart } from '../../spec/model.ts';

const opening = '<think>';
const closing = '</think>';

/** Stored in place of a field name for reasoning that was part of the text. */
export const inContent = 'content';

/** Yields the parts of one answer. If its text begins with a <think> block, that block becomes reasoning. */
export async function* thinkingApart(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  let first: ThinkingText | null = null;
  let isDone = false;
  for await (const part of parts) {
    const isOfFirst = 'id' in part && part.id === first?.id;
    if (isDone) yield part;
    else if (part.type === 'text' && (first === null || isOfFirst)) {
      first ??= new ThinkingText(part.id);
      yield* first.take(part.delta);
    } else {
      // Servers that send reasoning separately do not put it into the text.
      isDone =
        part.type === 'reasoning' ||
        part.type === 'ended' ||
        (part.type === 'part-ended' && isOfFirst);
      if (isDone && first !== null) yield* first.end();
      yield part;
    }
  }
}

/** Parses a text while it streams. */
class ThinkingText {
  readonly id: string;
  #phase: 'start' | 'opened' | 'thinking' | 'closed' | 'text' = 'start';
  /** Text that was not yielded yet: it may be part of a tag, or whitespace before one. */
  #pending = '';
  #hasThought = false;

  constructor(id: string) {
    this.id = id;
  }

  *take(delta: string): Generator<ModelPart> {
    this.#pending += delta;
    if (this.#phase === 'start') this.#start();
    if (this.#phase === 'opened') this.#skipBlank('thinking');
    if (this.#phase === 'thinking') yield* this.#think();
    if (this.#phase === 'closed') this.#skipBlank('text');
    if (this.#phase === 'text') yield* this.#emit('text', this.#pending.length);
  }

  *end(): Generator<ModelPart> {
    if (this.#phase === 'start') yield* this.#emit('text', this.#pending.length);
    if (this.#phase !== 'thinking') return;
    yield* this.#emit('reasoning', this.#pending.length);
    yield* this.#ended();
  }

  #start(): void {
    const text = this.#pending.trimStart();
    if (text.startsWith(opening)) {
      this.#pending = text.slice(opening.length);
      this.#phase = 'opened';
    } else if (!opening.startsWith(text)) this.#phase = 'text';
  }

  #skipBlank(next: 'thinking' | 'text'): void {
    this.#pending = this.#pending.trimStart();
    if (this.#pending !== '') this.#phase = next;
  }

  *#think(): Generator<ModelPart> {
    const end = this.#pending.indexOf(closing);
    if (end === -1) {
      yield* this.#emit('reasoning', this.#pending.length - partialTagLength(this.#pending));
      return;
    }
    yield* this.#emit('reasoning', end);
    yield* this.#ended();
    this.#pending = this.#pending.slice(closing.length);
    this.#phase = 'closed';
  }

  *#emit(type: 'text' | 'reasoning', length: number): Generator<ModelPart> {
    const delta = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    if (delta === '') return;
    this.#hasThought ||= type === 'reasoning';
    yield { type, id: type === 'text' ? this.id : this.#thinkingId, delta };
  }

  *#ended(): Generator<ModelPart> {
    if (!this.#hasThought) return;
    yield { type: 'part-ended', id: this.#thinkingId, data: { cloche: { field: inContent } } };
  }

  get #thinkingId(): string {
    return `${this.id} thinking`;
  }
}

/** Returns how many characters at the end may be the beginning of the closing tag. */
function partialTagLength(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(closing.slice(0, length))) return length;
  return 0;
}
