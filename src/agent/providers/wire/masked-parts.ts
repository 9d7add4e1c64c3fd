/** Masks the provider's key and headers in an answer, before any part of it is shown, stored or run. */

import { asObject } from '../../../runtime/spec/guards.ts';
import { MaskedText, type SecretMask } from '../../../runtime/spec/secret-mask.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';

type StreamedPart = Extract<ModelPart, { delta: string }>;

/** A part of an answer whose text still arrives. */
interface OpenText {
  readonly part: StreamedPart;
  readonly masked: MaskedText;
}

export async function* maskParts(
  parts: AsyncIterable<ModelPart>,
  mask: SecretMask,
): AsyncGenerator<ModelPart> {
  const open = new Map<string, OpenText>();
  try {
    for await (const part of parts)
      switch (part.type) {
        case 'text':
        case 'reasoning':
        case 'call-delta': {
          const key = `${part.type === 'call-delta' ? 'call' : 'part'} ${part.id}`;
          let text = open.get(key);
          if (text === undefined)
            open.set(
              key,
              (text = { part: withMaskedNames(part, mask), masked: new MaskedText(mask) }),
            );
          const delta = text.masked.next(part.delta);
          // The first piece of a call is empty, and only announces the call.
          if (delta !== '' || part.delta === '') yield { ...text.part, delta };
          break;
        }
        case 'part-ended': {
          const key = `part ${part.id}`;
          const text = open.get(key);
          yield* rest(text);
          open.delete(key);
          yield { type: 'part-ended', id: part.id, ...usableData(part, mask, text?.masked) };
          break;
        }
        case 'call': {
          // The complete arguments follow, so the rest of their pieces is not needed.
          open.delete(`call ${part.id}`);
          const { data: _, ...call } = part;
          yield {
            ...call,
            id: mask.text(part.id),
            wire: mask.text(part.wire),
            // An answer may break off within the arguments.
            arguments: mask.text(part.arguments, { mayBeCut: true }),
            ...usableData(part, mask),
          };
          break;
        }
        default:
          for (const text of open.values()) yield* rest(text);
          open.clear();
          yield part;
      }
  } catch (thrown) {
    // What has arrived is kept even if the answer breaks off, except for the beginning of a key.
    for (const text of open.values()) yield* rest(text);
    throw thrown;
  }
}

function withMaskedNames(part: StreamedPart, mask: SecretMask): StreamedPart {
  if (part.type !== 'call-delta') return part;
  return { ...part, id: mask.text(part.id), wire: mask.text(part.wire) };
}

/** Yields what was held back of a text, because it could have been the beginning of a key. */
function* rest(text: OpenText | undefined): Generator<ModelPart> {
  const delta = text?.masked.rest({ mayBeCut: true }) ?? '';
  if (text !== undefined && delta !== '') yield { ...text.part, delta };
}

/**
 * Returns the data that can be sent back to the provider. Data that had a secret is left out, and so is the signature of a
 * text that had one: the provider would refuse the next request. Cloche's own data stays.
 */
function usableData(
  { data }: { readonly data?: JsonObject },
  mask: SecretMask,
  text?: MaskedText,
): { data?: JsonObject } {
  if (data === undefined) return {};
  const written = JSON.stringify(data);
  // @mutant the signature of masked thinking is not sent back => (text?.hasMasked === true && isSigned(data)) -> false
  //   [src/agent/providers/wire/thinking.test.ts]
  const isBroken = mask.text(written) !== written || (text?.hasMasked === true && isSigned(data));
  if (!isBroken) return { data };
  return data.cloche === undefined ? {} : { data: { cloche: data.cloche } };
}

/** Anthropic signs the text of thinking. What other providers send with reasoning does not depend on its text. */
function isSigned({ anthropic = null }: JsonObject): boolean {
  return asObject(anthropic).signature !== undefined;
}
