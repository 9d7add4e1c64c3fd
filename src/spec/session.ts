/** A session: the events of its log, which is the truth, and what a list shows of it. */

import type { Approval } from './call.ts';
import type { JsonObject, JsonText } from './json.ts';
import type { ModelFault } from './model-error.ts';
import type { AssistantPart, Finish, ModelRef, Usage, UserPart } from './model.ts';
import type { ToolResult } from './result.ts';

/** A tool as it was when it was selected. */
export interface SelectedTool {
  /** Its id. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly deferred: boolean;
}

/** A fault as it is kept. */
export interface KeptFault {
  readonly fault: ModelFault | 'internal';
  readonly message: string;
  readonly hint?: string;
}

/** How a turn ended. `lost`: its page went. `paused` never ends one: a step that waits is still a turn. */
export type TurnEnd = 'done' | 'stopped' | 'failed' | 'lost';

/** Why Python state began anew. `folder`: the same was opened anew. `import`: the session came out of a file. */
export type PythonAnew = 'reload' | 'fork' | 'reclaimed' | 'folder' | 'other-folder' | 'import';

/** One entry of the log; `n` counts from 0 without gaps. */
export type SessionEvent = Stamp & SessionFact;

export interface Stamp {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What happened; the log stamps it. */
export type SessionFact =
  | {
      readonly type: 'created';
      /** The tools folder that was open. */
      readonly folder: string;
      /** Tells folders of one name apart; empty where it is not known from one visit to the next. */
      readonly folderId: string;
      readonly forkOf?: { readonly session: string; readonly n: number };
      /** It plays a recording: its model turns are read from there. */
      readonly replays?: string;
    }
  | { readonly type: 'titled'; readonly title: string; readonly by: 'person' | 'message' }
  /** Once, at the first message; from then on it is locked. `names` pairs id and wire name. */
  | {
      readonly type: 'selected';
      /** The tools folder that they are of, where it is another one than when the session was created. */
      readonly folder?: string;
      readonly folderId?: string;
      readonly tools: readonly SelectedTool[];
      readonly names: readonly (readonly [id: string, wire: string])[];
    }
  | { readonly type: 'model'; readonly model: ModelRef }
  /** The base text of the system prompt from here on; empty: the usual one. */
  | { readonly type: 'prompt'; readonly text: string }
  /** `steering`: sent while the turn was under way. */
  | {
      readonly type: 'message';
      readonly id: string;
      readonly turnId: string;
      readonly parts: readonly UserPart[];
      /** What extensions told the model besides, as long as its turn lasts. */
      readonly context?: readonly UserPart[];
      readonly steering: boolean;
    }
  | { readonly type: 'turn-began'; readonly turnId: string }
  /** A step is one answer of the model. */
  | {
      readonly type: 'step-began';
      readonly turnId: string;
      readonly stepId: string;
      readonly model: ModelRef;
    }
  | {
      readonly type: 'step-ended';
      readonly stepId: string;
      readonly parts: readonly AssistantPart[];
      /** `cut`: stopped, failed or lost; `parts` is what had come. */
      readonly finish: Finish | 'cut';
      readonly usage: Usage;
      /** US dollars; null where unknown. */
      readonly cost: number | null;
      readonly ms: number;
      readonly fault?: KeptFault;
    }
  /** Its turn has come: the person has been asked, and its interpreter is free. */
  | { readonly type: 'call-began'; readonly callId: string; readonly stepId: string }
  | {
      readonly type: 'call-answered';
      readonly callId: string;
      /** That the person was asked about, where interceptors may have changed it; else the one that the model asked for. */
      readonly tool?: string;
      readonly approval: Approval;
      /** What the model is told of a denial. */
      readonly reason: string;
      /** What the call runs with, where the person changed it. */
      readonly arguments?: JsonText;
    }
  | { readonly type: 'call-ended'; readonly callId: string; readonly result: ToolResult }
  | {
      readonly type: 'turn-ended';
      readonly turnId: string;
      readonly end: TurnEnd;
      readonly fault?: KeptFault;
    }
  /** Messages before `before` (an `n`) reach the model as this summary from here on. */
  | {
      readonly type: 'compacted';
      readonly before: number;
      readonly summary: string;
      readonly usage: Usage;
      /** US dollars; null where unknown. */
      readonly cost?: number | null;
    }
  /** A prompt beside the session; nothing of it is said in the session. */
  | { readonly type: 'background-began'; readonly id: string; readonly prompt: string }
  /** One of its steps is done; of no prompt's `id`: an answer that came to nothing, and was paid for. */
  | {
      readonly type: 'background-step';
      readonly id: string;
      readonly usage: Usage;
      /** US dollars; null where unknown. */
      readonly cost: number | null;
    }
  | {
      readonly type: 'background-ended';
      readonly id: string;
      /** The answer, or why there is none. */
      readonly text: string;
      readonly ok: boolean;
      /** Of steps that were not told of one by one, as in the first such logs. */
      readonly usage?: Usage;
      readonly cost?: number | null;
    }
  /** Python state began anew here. */
  | { readonly type: 'python-anew'; readonly why: PythonAnew }
  /** What was allowed for the session: the person wants to be asked about calls of the tool again. */
  | { readonly type: 'asks-again'; readonly tool: string }
  /** Deferred tools whose whole definition the model has from here on. */
  | { readonly type: 'handed-over'; readonly tools: readonly string[] };

/** What a list shows of a session, kept beside its log and made from it. */
export interface SessionHead {
  readonly id: string;
  /** Empty: none yet. */
  readonly title: string;
  readonly titled: 'no' | 'by-message' | 'by-person';
  readonly folder: string;
  readonly folderId: string;
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  /** Events in its log. */
  readonly events: number;
  readonly messages: number;
  readonly model: ModelRef | null;
  readonly forkOf: string | null;
}
