/** What streams of a step before it has ended, in pieces that can be kept and put together again. */

import type { AskedCall, AssistantPart, Opaque } from '../spec/model.ts';

/** A part as far as it has come. */
export type DraftPart =
  | AssistantPart
  | { readonly type: 'writing-call'; readonly wire: string; readonly arguments: string };

/** What one part grew by; `part` is its place among the parts of the step, a new one coming last. */
export type PartGrowth =
  | {
      readonly part: number;
      readonly type: 'text' | 'reasoning';
      /** What came behind the text so far. */
      readonly text: string;
      readonly opaque?: Opaque;
    }
  | {
      readonly part: number;
      readonly type: 'writing-call';
      readonly wire: string;
      /** What came behind the arguments so far. */
      readonly arguments: string;
    }
  /** All of a call, in place of what was being written of it. */
  | { readonly part: number; readonly type: 'call'; readonly call: AskedCall };

export type Grown = readonly PartGrowth[];

/** The parts after they grew. What does not fit them is left out. */
export function grow(parts: readonly DraftPart[], grown: Grown): DraftPart[] {
  const result = [...parts];
  for (const growth of grown) {
    // A place beyond the next one is none.
    if (growth.part > result.length) continue;
    const part = grownPart(result[growth.part], growth);
    if (part !== undefined) result[growth.part] = part;
  }
  return result;
}

/** By what `before` has to grow to become `after`, of which it is an earlier state. Texts are told apart by length alone. */
export function growthBetween(before: readonly DraftPart[], after: readonly DraftPart[]): Grown {
  return after.flatMap((part, index) => growthOf(before[index], part, index));
}

function grownPart(part: DraftPart | undefined, growth: PartGrowth): DraftPart | undefined {
  switch (growth.type) {
    case 'call':
      return part === undefined || part.type === 'writing-call' ? growth.call : undefined;
    case 'writing-call': {
      const { type, wire } = growth;
      if (part === undefined) return { type, wire, arguments: growth.arguments };
      if (part.type !== type) return undefined;
      return { type, wire, arguments: part.arguments + growth.arguments };
    }
    default: {
      const { type, opaque } = growth;
      if (part !== undefined && part.type !== type) return undefined;
      const text = (part?.text ?? '') + growth.text;
      const kept = opaque ?? part?.opaque;
      return { type, text, ...(kept === undefined ? {} : { opaque: kept }) };
    }
  }
}

function growthOf(before: DraftPart | undefined, part: DraftPart, index: number): PartGrowth[] {
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
