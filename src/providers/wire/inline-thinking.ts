/**
 * Reasoning that comes inside the text of an answer, between <think> and </think>: so models such as DeepSeek R1 and
 * Qwen 3 write it, and servers that are not told of it leave it there.
 */

import type { ModelPart } from '../../spec/model.ts';

const opening = '<think>';
const closing = '</think>';

/** What is kept of such reasoning tells where it came, in place of a field of its own. */
export const inContent = 'content';

/** The parts of one answer, with what its text begins with between those marks as reasoning. */
export async function* thinkingApart(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  let first: ThinkingText | null = null;
  let isOver = false;
  for await (const part of parts) {
    const isOfFirst = 'id' in part && part.id === first?.id;
    if (isOver) yield part;
    else if (part.type === 'text' && (first === null || isOfFirst)) {
      first ??= new ThinkingText(part.id);
      yield* first.take(part.delta);
    } else {
      // Who sends reasoning by itself puts none into the text.
      isOver =
        part.type === 'reasoning' ||
        part.type === 'ended' ||
        (part.type === 'part-ended' && isOfFirst);
      if (isOver && first !== null) yield* first.end();
      yield part;
    }
  }
}

/** A text that is read as it streams. */
class ThinkingText {
  readonly id: string;
  #at: 'start' | 'opened' | 'thinking' | 'closed' | 'text' = 'start';
  /** Not told yet: it may be a part of a mark, or blank before something. */
  #held = '';
  #hasThought = false;

  constructor(id: string) {
    this.id = id;
  }

  *take(delta: string): Generator<ModelPart> {
    this.#held += delta;
    if (this.#at === 'start') this.#start();
    if (this.#at === 'opened') this.#skipBlank('thinking');
    if (this.#at === 'thinking') yield* this.#think();
    if (this.#at === 'closed') this.#skipBlank('text');
    if (this.#at === 'text') yield* this.#tell('text', this.#held.length);
  }

  *end(): Generator<ModelPart> {
    if (this.#at === 'start') yield* this.#tell('text', this.#held.length);
    if (this.#at !== 'thinking') return;
    yield* this.#tell('reasoning', this.#held.length);
    yield* this.#ended();
  }

  #start(): void {
    const text = this.#held.trimStart();
    if (text.startsWith(opening)) {
      this.#held = text.slice(opening.length);
      this.#at = 'opened';
    } else if (!opening.startsWith(text)) this.#at = 'text';
  }

  #skipBlank(next: 'thinking' | 'text'): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== '') this.#at = next;
  }

  *#think(): Generator<ModelPart> {
    const end = this.#held.indexOf(closing);
    if (end === -1) {
      yield* this.#tell('reasoning', this.#held.length - openEnd(this.#held));
      return;
    }
    yield* this.#tell('reasoning', end);
    yield* this.#ended();
    this.#held = this.#held.slice(closing.length);
    this.#at = 'closed';
  }

  *#tell(type: 'text' | 'reasoning', length: number): Generator<ModelPart> {
    const delta = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
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

/** Characters at the end that may begin the closing mark. */
function openEnd(text: string): number {
  for (let length = Math.min(closing.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(closing.slice(0, length))) return length;
  return 0;
}
