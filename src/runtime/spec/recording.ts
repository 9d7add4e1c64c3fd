/** Types of a recording. */

import type { Accepted } from './schemas/schema.ts';
import type * as format from './schemas/recording.ts';

/** Provider id of sessions that play a recording. */
export const replayProvider = 'replay';

export type RecordedCall = Accepted<typeof format.recordedCall>;
export type RecordedPart = RecordedStep['parts'][number];
export type RecordedStep = Accepted<typeof format.recordedStep>;
export type RecordedTurn = Accepted<typeof format.recordedTurn>;
export type Recording = Accepted<typeof format.recording>;
