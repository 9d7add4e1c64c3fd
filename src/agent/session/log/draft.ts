/** Drafts: the parts of a step in progress, and the deltas in which they are stored and sent to other tabs. */

import type { AssistantPart } from '../../../runtime/spec/model.ts';
import type { Accepted } from '../../../runtime/spec/schemas/schema.ts';
import type { sessionDraft } from '../../../runtime/spec/schemas/session-draft.ts';

/** A part that may be incomplete. The arguments of a `writing-call` are still being written. */
export type DraftPart =
  | AssistantPart
  | { readonly type: 'writing-call'; readonly wire: string; readonly arguments: string };

/** A step in progress in the tab that writes, as far as this tab has received it. */
export interface StepInProgress {
  readonly stepId: string;
  readonly parts: readonly DraftPart[];
}

/** An addition to one part. `part` is its index in the step; a new part is appended. */
export type PartDelta = DraftDelta[number];

export type DraftDelta = Accepted<typeof sessionDraft>;

/** Returns the parts with a delta applied. Additions that do not fit are ignored. */
export function applyDelta(parts: readonly DraftPart[], delta: DraftDelta): DraftPart[] {
  const result = [...parts];
  for (const one of delta) {
    if (one.part > result.length) continue;
    const part = extendPart(result[one.part], one);
    if (part !== undefined) result[one.part] = part;
  }
  return result;
}

/**
 * Returns the delta from `before` to `after`, a later state of the same parts. Only the lengths of texts are compared.
 */
export function draftDelta(before: readonly DraftPart[], after: readonly DraftPart[]): DraftDelta {
  return after.flatMap((part, index) => partDelta(before[index], part, index));
}

function extendPart(part: DraftPart | undefined, delta: PartDelta): DraftPart | undefined {
  switch (delta.type) {
    case 'call':
      return part === undefined || part.type === 'writing-call' ? delta.call : undefined;
    case 'writing-call': {
      const { type, wire } = delta;
      if (part === undefined) return { type, wire, arguments: delta.arguments };
      if (part.type !== type) return undefined;
      return { type, wire, arguments: part.arguments + delta.arguments };
    }
    default: {
      const { type, opaque } = delta;
      if (part?.type === 'call' || part?.type === 'writing-call') return undefined;
      // A text that turns out to be reasoning arrives as a whole.
      const before = part?.type === type ? part : undefined;
      const text = (before?.text ?? '') + delta.text;
      const data = opaque ?? before?.opaque;
      return { type, text, ...(data === undefined ? {} : { opaque: data }) };
    }
  }
}

function partDelta(before: DraftPart | undefined, part: DraftPart, index: number): PartDelta[] {
  switch (part.type) {
    case 'call':
      return before?.type === 'call' ? [] : [{ part: index, type: 'call', call: part }];
    case 'writing-call': {
      const known = before?.type === part.type ? before : null;
      const text = part.arguments.slice(known?.arguments.length ?? 0);
      if (known !== null && text === '' && known.wire === part.wire) return [];
      return [{ part: index, type: part.type, wire: part.wire, arguments: text }];
    }
    default: {
      const known = before?.type === part.type ? before : null;
      const text = part.text.slice(known?.text.length ?? 0);
      const { opaque } = part;
      if (known !== null && text === '' && opaque === known.opaque) return [];
      return [{ part: index, type: part.type, text, ...(opaque === undefined ? {} : { opaque }) }];
    }
  }
}
