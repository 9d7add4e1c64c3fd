/** Additions to the parts of a step in progress, as they come from the database or another page. */

import { integer, list, literal, object, string, tagged } from './schema.ts';
import { askedCall, opaque } from './session-event.ts';

const part = integer(0, 100_000);

export const sessionDraft = list(
  tagged(
    'type',
    object({ part, type: literal('text', 'reasoning'), text: string() }, { opaque }),
    object({ part, type: literal('writing-call'), wire: string(), arguments: string() }),
    /** A complete call, which replaces its `writing-call`. */
    object({ part, type: literal('call'), call: askedCall }),
  ),
);
