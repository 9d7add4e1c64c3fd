/** What has come of the step that another page has under way, from what that page tells and stores. */

import type { SessionMessage } from '../protocol/session-pages.ts';
import { grow, type DraftPart } from './draft.ts';
import { readGrown } from './read-event.ts';
import type { StepUnderWay } from './session-log.ts';
import type { SessionStore } from './session-store.ts';

type DraftMessage = Extract<SessionMessage, { type: 'draft' }>;

export class FollowedStep {
  readonly #store: SessionStore;
  readonly #session: string;
  readonly #onChange: () => void;
  #step: StepUnderWay | null = null;
  /** Pieces that it is made of. */
  #pieces = 0;
  /** Counts steps that ended: what is read of one that has is late. */
  #ended = 0;

  constructor(store: SessionStore, session: string, onChange: () => void) {
    this.#store = store;
    this.#session = session;
    this.#onChange = onChange;
  }

  get step(): StepUnderWay | null {
    return this.#step;
  }

  /** The step has ended. */
  clear(): void {
    this.#ended += 1;
    this.#step = null;
    this.#pieces = 0;
  }

  /** The other page tells a piece; what was missed before it is read. */
  hear({ stepId, piece, grown }: DraftMessage): void {
    const known = this.#step?.stepId === stepId ? this.#step.parts : [];
    const pieces = this.#step?.stepId === stepId ? this.#pieces : 0;
    if (piece < pieces) return;
    const growth = piece === pieces ? readGrown(grown) : null;
    if (growth === null) void this.read(stepId);
    else this.#become({ stepId, parts: grow(known, growth) }, piece + 1);
  }

  /** Reads what is stored of a step. Never rejects: what cannot be read now ends with the step anyway. */
  async read(stepId: string): Promise<void> {
    const ended = this.#ended;
    const { parts, pieces } = await readDraft(this.#store, this.#session, stepId).catch(() => none);
    const known = this.#step?.stepId === stepId ? this.#pieces : 0;
    // It may have ended, or grown, meanwhile.
    if (ended === this.#ended && pieces > known) this.#become({ stepId, parts }, pieces);
  }

  #become(step: StepUnderWay, pieces: number): void {
    this.#step = step;
    this.#pieces = pieces;
    this.#onChange();
  }
}

const none = { parts: [], pieces: 0 };

/** The parts of a step from its pieces, up to the first that is damaged. @throws what the store rejects with */
export async function readDraft(
  store: SessionStore,
  session: string,
  stepId: string,
): Promise<{ readonly parts: readonly DraftPart[]; readonly pieces: number }> {
  let parts: readonly DraftPart[] = [];
  let pieces = 0;
  for (const text of await store.drafts(session, stepId)) {
    const grown = readGrown(text);
    if (grown === null) break;
    parts = grow(parts, grown);
    pieces += 1;
  }
  return { parts, pieces };
}
