/** Masks the provider's key and headers in an answer, before any part of it is shown, stored or run. */

import { SecretMask } from '../../../runtime/spec/secret-mask.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';

type StreamedPart = Extract<ModelPart, { delta: string }>;

/** A text that arrives in pieces. The possible beginning of a secret is held back until the next piece. */
class MaskedText {
  readonly #mask: SecretMask;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #part: StreamedPart;
  /** The first half of a surrogate pair whose other half is in the next piece. */
  #half = '';

  constructor(mask: SecretMask, part: StreamedPart) {
    this.#mask = mask;
    this.#part = part;
  }

  next(delta: string): string {
    const text = this.#half + delta;
    this.#half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    const whole = this.#encoder.encode(text.slice(0, text.length - this.#half.length));
    return this.#decoder.decode(this.#mask.next(whole), { stream: true });
  }

  /** Returns the text that is still held back, if any. */
  *rest(): Generator<ModelPart> {
    const delta = this.#decoder.decode(this.#mask.rest()) + this.#half;
    if (delta !== '') yield { ...this.#part, delta };
  }
}

export async function* maskedParts(
  parts: AsyncIterable<ModelPart>,
  mask: SecretMask,
): AsyncGenerator<ModelPart> {
  const open = new Map<string, MaskedText>();
  const maskedData = <T extends { readonly data?: JsonObject }>(part: T): T =>
    part.data === undefined ? part : { ...part, data: masked(part.data, mask) };
  for await (const part of parts)
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'call-delta': {
        const named = part.type === 'call-delta' ? { ...part, wire: mask.text(part.wire) } : part;
        const key = keyOf(part);
        let text = open.get(key);
        if (text === undefined) open.set(key, (text = new MaskedText(new SecretMask(mask), named)));
        const delta = text.next(part.delta);
        // The first piece of a call is empty, and only announces the call.
        if (delta !== '' || part.delta === '') yield { ...named, delta };
        break;
      }
      case 'part-ended': {
        const key = `part ${part.id}`;
        yield* open.get(key)?.rest() ?? [];
        open.delete(key);
        yield maskedData(part);
        break;
      }
      case 'call':
        // The complete arguments follow, so the rest of their pieces is not needed.
        open.delete(`call ${part.id}`);
        yield maskedData({
          ...part,
          wire: mask.text(part.wire),
          arguments: mask.text(part.arguments),
        });
        break;
      default:
        for (const text of open.values()) yield* text.rest();
        open.clear();
        yield part;
    }
}

function keyOf({ type, id }: StreamedPart): string {
  return `${type === 'call-delta' ? 'call' : 'part'} ${id}`;
}

function masked(data: JsonObject, mask: SecretMask): JsonObject {
  const text = JSON.stringify(data);
  const out = mask.text(text);
  return out === text ? data : (JSON.parse(out) as JsonObject);
}
