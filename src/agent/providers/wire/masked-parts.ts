/** Masks the provider's key and headers in an answer, before any part of it is shown, stored or run. */

import { MaskedText } from '../../../runtime/spec/masked-text.ts';
import type { SecretMask } from '../../../runtime/spec/secret-mask.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';

type StreamedPart = Extract<ModelPart, { delta: string }>;

/** A part of an answer whose text still arrives. */
interface OpenText {
  readonly part: StreamedPart;
  readonly masked: MaskedText;
}

export async function* maskedParts(
  parts: AsyncIterable<ModelPart>,
  mask: SecretMask,
): AsyncGenerator<ModelPart> {
  const open = new Map<string, OpenText>();
  const maskedData = <T extends { readonly data?: JsonObject }>(part: T): T =>
    part.data === undefined ? part : { ...part, data: masked(part.data, mask) };
  for await (const part of parts)
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'call-delta': {
        const named = part.type === 'call-delta' ? { ...part, wire: mask.text(part.wire) } : part;
        const key = `${part.type === 'call-delta' ? 'call' : 'part'} ${part.id}`;
        let text = open.get(key);
        if (text === undefined)
          open.set(key, (text = { part: named, masked: new MaskedText(mask) }));
        const delta = text.masked.next(part.delta);
        // The first piece of a call is empty, and only announces the call.
        if (delta !== '' || part.delta === '') yield { ...named, delta };
        break;
      }
      case 'part-ended': {
        const key = `part ${part.id}`;
        yield* rest(open.get(key));
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
        for (const text of open.values()) yield* rest(text);
        open.clear();
        yield part;
    }
}

function* rest(text: OpenText | undefined): Generator<ModelPart> {
  const delta = text?.masked.rest() ?? '';
  if (text !== undefined && delta !== '') yield { ...text.part, delta };
}

function masked(data: JsonObject, mask: SecretMask): JsonObject {
  const text = JSON.stringify(data);
  const out = mask.text(text);
  return out === text ? data : (JSON.parse(out) as JsonObject);
}
