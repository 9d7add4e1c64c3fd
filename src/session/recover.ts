/** What a page adds to a session that it has opened for writing, since the page before it may have gone at any time. */

import type { PythonAnew, SessionEvent, SessionFact } from '../spec/session.ts';
import { closingFacts, hasPythonState, type Closing } from './closing.ts';
import type { DraftPart } from './draft.ts';
import { readDraft } from './followed-step.ts';
import type { LogContents } from './log-contents.ts';
import type { SessionStore } from './session-store.ts';

/** Why nothing is left of Python state. */
export type PythonLost = Extract<PythonAnew, 'reload' | 'folder' | 'other-folder'>;

/** What is left of it, by the log that was found; null: it is as it was. */
export type PythonSince = (events: readonly SessionEvent[]) => PythonLost | null;

/**
 * Clears a damaged end out of the way of what comes, and tells what is to be added.
 * @throws what the store rejects with
 */
export async function recoveryFacts(
  parts: { readonly store: SessionStore; newId(): string },
  { state, events, damage }: LogContents,
  pythonSince: PythonSince,
  cause: Closing['why'],
): Promise<SessionFact[]> {
  const { store } = parts;
  const session = state.head.id;
  if (damage !== null) await store.setAside(session, damage.at);
  const drafts = new Map<string, readonly DraftPart[]>();
  for (const entry of state.entries) {
    if (entry.kind !== 'step' || entry.finish !== null) continue;
    const { parts } = await readDraft(store, session, entry.stepId);
    drafts.set(entry.stepId, parts);
  }
  const partsOf = (stepId: string): readonly DraftPart[] => drafts.get(stepId) ?? [];
  const facts = closingFacts(state, { why: cause, partsOf, newId: () => parts.newId() });
  const why = pythonSince(events);
  if (why !== null && hasPythonState(events)) facts.push({ type: 'python-anew', why });
  return facts;
}
