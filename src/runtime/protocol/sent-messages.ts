/**
 * Remembers the messages that the page has sent to the model worker, so that later requests of a session send only new
 * ones. Page and worker each keep such a list, and add to it in the same order.
 */

import type { ModelMessage } from '../spec/model.ts';

/** The first `count` messages of the conversation in the request `id`. */
export interface SentStart {
  readonly id: number;
  readonly count: number;
}

/** Limit for the conversations that are kept, since many sub-agents may work at the same time. */
const maxKnown = 16;

export class SentMessages {
  /** Messages by id of their request, oldest first. */
  readonly #sent = new Map<number, readonly ModelMessage[]>();

  /** Finds the longest start of these messages that was sent before; null if there is none. */
  startOf(messages: readonly ModelMessage[]): SentStart | null {
    let best: SentStart | null = null;
    for (const [id, sent] of this.#sent) {
      const count = sharedLength(sent, messages);
      if (count > (best?.count ?? 0)) best = { id, count };
    }
    return best;
  }

  /** Returns the messages of a start; null if it is not known. */
  messagesOf({ id, count }: SentStart): readonly ModelMessage[] | null {
    const sent = this.#sent.get(id);
    return sent === undefined || sent.length < count ? null : sent.slice(0, count);
  }

  /**
   * Adds the conversation of a request.
   *
   * @param messages all of them; images and documents are not kept, since they may be large
   * @param start the earlier request that it continues
   */
  add(id: number, messages: readonly ModelMessage[], start: SentStart | null): void {
    if (start !== null) this.#sent.delete(start.id);
    // A request that is sent again counts as new.
    this.#sent.delete(id);
    if (!messages.every(isText)) return;
    this.#sent.set(id, messages);
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > maxKnown && oldest !== undefined) this.#sent.delete(oldest);
  }

  /** Forgets a request that was cancelled. */
  remove(id: number): void {
    this.#sent.delete(id);
  }
}

function sharedLength(one: readonly ModelMessage[], other: readonly ModelMessage[]): number {
  const differs = one.findIndex((message, index) => message !== other[index]);
  return differs === -1 ? one.length : differs;
}

function isText(message: ModelMessage): boolean {
  const parts =
    message.role === 'tool' ? message.answers.flatMap((answer) => answer.parts) : message.parts;
  return parts.every(({ type }) => type !== 'image' && type !== 'file');
}
