/** What may be in a log once only: else two things could not be told apart. */

import type { SessionEvent } from '../spec/session.ts';

export class UniqueIds {
  readonly #seen = new Set<string>();

  /** Takes the events of a log in their order. @returns what an event brings that was there before; null: nothing */
  repeated(event: SessionEvent): string | null {
    const repeats = idsOf(event).find((id) => this.#seen.has(id) || !this.#seen.add(id));
    return repeats ?? null;
  }
}

function idsOf(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case 'step-began':
      return [`the step ${event.stepId}`];
    case 'step-ended':
      return event.parts.flatMap((part) => (part.type === 'call' ? [`the call ${part.id}`] : []));
    case 'background-began':
      return [`the background prompt ${event.id}`];
    case 'selected':
      return event.names.flatMap(([id, wire]) => [`the tool ${id}`, `the name ${wire}`]);
    default:
      return [];
  }
}
