/** The entry of a session in lists, stored beside its log and derived from it. */

import { literal, object, orNull, string } from './schema.ts';
import { count, id, modelRef, time } from './session-event.ts';

export const sessionHead = object(
  {
    id,
    /** Empty if there is none yet. */
    title: string(),
    titled: literal('no', 'by-message', 'by-user'),
    folder: string(),
    folderId: string(),
    /** Milliseconds since the epoch. */
    createdAt: time,
    changedAt: time,
    /** Number of events in its log. */
    events: count,
    messages: count,
    model: orNull(modelRef),
    forkOf: orNull(string()),
  },
  {
    /** The last event of the original that a fork copied; absent in other sessions, and in forks of earlier versions. */
    forkAt: count,
    /** The run of a plan, of which the session is a sub-agent; absent in other sessions. */
    run: id,
  },
);
