/** Keeps numbers as they are written: JSON.parse rounds long ones. */

import { asFields, isRecord, parseJson } from '../../../runtime/spec/guards.ts';

declare global {
  interface JSON {
    /** Missing in older browsers, where long numbers are rounded. */
    rawJSON?(text: string): unknown;
  }
}

/** A reviver for JSON.parse. JSON.stringify writes its numbers as they were. */
export function exactNumberReviver(
  _: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = context?.source;
  const isInexact = typeof value === 'number' && source !== undefined && String(value) !== source;
  return isInexact ? (JSON.rawJSON?.(source) ?? value) : value;
}

/**
 * Structured contents of results with exact numbers. The client has parsed them without {@link exactNumberReviver}, and
 * does not give the ids of its requests to its caller: a call is known by the object with its arguments.
 */
export class ExactContents {
  /** The arguments of the calls that wait for an answer, by the ids of their requests. */
  readonly #waiting = new Map<string, object>();
  readonly #contents = new WeakMap<object, unknown>();

  /** @param message that the client sends */
  sent(message: unknown): void {
    const { id, method, params } = asFields(message);
    const args = asFields(params).arguments;
    if (method === 'tools/call' && isRecord(args)) this.#waiting.set(idOf(id), args);
  }

  /**
   * @param text the response as the server sent it
   * @param id its id as it was read
   */
  received(text: string, id: unknown): void {
    if (this.#waiting.size === 0 || !text.includes('"structuredContent"')) return;
    const { result } = asFields(parseJson(text));
    const args = this.#waiting.get(idOf(id));
    if (args === undefined || asFields(result).structuredContent === undefined) return;
    const { result: exact } = asFields(JSON.parse(text, exactNumberReviver));
    this.#contents.set(args, asFields(exact).structuredContent);
  }

  /** @param args of the call @returns its result with exact numbers, as far as they are known */
  of(args: unknown, result: object): object {
    const structuredContent = isRecord(args) ? this.#contents.get(args) : undefined;
    return structuredContent === undefined ? result : { ...result, structuredContent };
  }

  /** Forgets a call that has ended. */
  end(args: unknown): void {
    for (const [id, waiting] of this.#waiting) if (waiting === args) this.#waiting.delete(id);
  }
}

function idOf(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : '';
}
