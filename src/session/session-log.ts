/** One open session: what it is now, and the only way to add to it. */

import type { SessionEvent, SessionFact } from '../spec/session.ts';
import type { DraftPart, Grown } from './draft.ts';
import type { SessionState } from './session-state.ts';

/** A step under way in the page that writes, as far as this page has heard. */
export interface StepUnderWay {
  readonly stepId: string;
  readonly parts: readonly DraftPart[];
}

export interface SessionLog {
  readonly id: string;
  /** After every event so far; another object after each. */
  readonly state: SessionState;
  /** All of them, in order. */
  readonly events: readonly SessionEvent[];
  /**
   * False: another page writes, and this one follows. It can become so at any time, since another page can take over:
   * `state` is then what that page makes of the session, and a turn that runs here must end.
   */
  readonly writes: boolean;
  /** Null where there is none, or this page writes: then it knows better. */
  readonly following: StepUnderWay | null;
  /** It was removed, here or in another page; what is added is not kept while it is. */
  readonly removed: boolean;
  /** What is wrong with what was stored, or with storing it, for the person; null: nothing. */
  readonly problem: string | null;
  /**
   * Adds to the log: `state` has it at once, storage soon, and from the first `message` on only. A result that is too
   * large is cut.
   *
   * @returns false where this page does not write: then nothing has happened
   * @throws {ToolError} `limit`, `bad-input` where a fact is too large or not valid; then none of them was added
   */
  append(...facts: readonly SessionFact[]): boolean;
  /**
   * Keeps what the parts of a step under way grew by, for the case that the page goes. Call it before that is shown.
   * `step-ended` makes it superfluous.
   *
   * @returns when it is kept, as far as it can be. Never rejects
   */
  draft(stepId: string, grown: Grown): Promise<void>;
  /** When all that was appended is kept, as far as it can be. Never rejects. */
  written(): Promise<void>;
  /** Told of every change of anything here. @returns dispose */
  observe(listener: () => void): () => void;
  /** Has this page write, unless another one does. @returns whether it writes now */
  claim(): Promise<boolean>;
  /** Has this page write, whoever does until now. */
  takeOver(): Promise<void>;
  /** Nothing can be added any more. Resolves when another page may write. */
  close(): Promise<void>;
}
