/** Types of a session: the events of its log, from which all its state derives, and its entry in lists. */

import type { CallAnswer } from './call.ts';
import type { JsonObject, JsonText } from './json.ts';
import type { ModelFault } from './model-error.ts';
import type { AssistantPart, Finish, ModelMessage, ModelRef, Usage, UserPart } from './model.ts';
import type { ToolResult } from './result.ts';

/** A tool as it was when it was selected. */
export interface SelectedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly deferred: boolean;
}

/** A fault as it is stored in the log. */
export interface StoredFault {
  readonly fault: ModelFault | 'internal';
  readonly message: string;
  readonly hint?: string;
}

/** How a turn ended. `lost`: its page was closed. A paused turn has not ended. */
export type TurnEnd = 'done' | 'stopped' | 'failed' | 'lost';

/** Why Python state was reset. `folder`: the folder was opened again. `import`: the session was imported from a file. */
export type PythonAnew = 'reload' | 'fork' | 'reclaimed' | 'folder' | 'other-folder' | 'import';

/** The task of a sub-agent's session. */
export interface SessionTask {
  readonly run: string;
  readonly id: string;
  /** JSON Schema of the task's output; null for any. */
  readonly output: JsonObject | null;
  /** False if the session ends with its last answer, so that the model gets no tool to hand over a result. */
  readonly finishes?: false;
}

/** One entry of the log; `n` counts from 0 without gaps. */
export type SessionEvent = Stamp & SessionFact;

export interface Stamp {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** An extension, as the page names it. */
export interface SentBy {
  readonly extension: string;
  readonly file: string;
}

export interface SentMessage {
  readonly id: string;
  readonly turnId: string;
  readonly parts: readonly UserPart[];
  /** Parts that extensions add to the model's context during this turn. */
  readonly context?: readonly UserPart[];
  /** The extension that has sent it in the user's name. */
  readonly from?: SentBy;
  /** Whether the message was sent while the turn was running. */
  readonly steering: boolean;
}

/** An event without number and time, which the log adds. */
export type SessionFact =
  | {
      readonly type: 'created';
      readonly folder: string;
      /** Distinguishes folders with the same name; empty if the folder is not stored between visits. */
      readonly folderId: string;
      readonly forkOf?: { readonly session: string; readonly n: number };
      /** Set if the session plays a recording, from which its model answers come. */
      readonly replays?: string;
      /** Set in a sub-agent's session. */
      readonly task?: SessionTask;
    }
  | { readonly type: 'titled'; readonly title: string; readonly by: 'person' | 'message' }
  /** The selection, logged once, with the first message; locked from then on. `names` maps ids to wire names. */
  | {
      readonly type: 'selected';
      /** Name of the tools' folder, if it is not the one of `created`. */
      readonly folder?: string;
      readonly folderId?: string;
      readonly tools: readonly SelectedTool[];
      readonly names: readonly (readonly [id: string, wire: string])[];
    }
  | { readonly type: 'model'; readonly model: ModelRef }
  /** The base text of the system prompt from here on; empty means the default. */
  | { readonly type: 'prompt'; readonly text: string }
  | (SentMessage & { readonly type: 'message' })
  | { readonly type: 'turn-began'; readonly turnId: string }
  /** A step, one request to the model, began. */
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
      /** `cut`: stopped, failed or lost; `parts` is what had arrived. */
      readonly finish: Finish | 'cut';
      readonly usage: Usage;
      /** US dollars; null where unknown. */
      readonly cost: number | null;
      readonly ms: number;
      /** Milliseconds until the first part of the answer; absent if none arrived, and in logs of earlier versions. */
      readonly firstMs?: number;
      /** Set if the usage is an estimate, because the answer was cut before the provider reported it. */
      readonly estimated?: true;
      readonly fault?: StoredFault;
    }
  /** The call runs: it has been approved if necessary, and has its interpreter. */
  | { readonly type: 'call-began'; readonly callId: string; readonly stepId: string }
  | (CallAnswer & {
      readonly type: 'call-answered';
      readonly callId: string;
      /** The tool that the user was asked about; absent if it is the one that the model asked for. */
      readonly tool?: string;
    })
  | {
      readonly type: 'call-ended';
      readonly callId: string;
      readonly result: ToolResult;
      /** Set if the user replaced the result when they forked the session. */
      readonly edited?: true;
    }
  | {
      readonly type: 'turn-ended';
      readonly turnId: string;
      readonly end: TurnEnd;
      readonly fault?: StoredFault;
    }
  /**
   * From here on, messages before `before` (an `n`) are replaced in requests to the model: by `messages`, or without
   * them by the summary.
   */
  | {
      readonly type: 'compacted';
      readonly before: number;
      readonly summary: string;
      readonly messages?: readonly ModelMessage[];
      /** The file of the extension that compacted; absent for Cloche itself. */
      readonly from?: string;
      readonly usage: Usage;
      /** US dollars; null where unknown. */
      readonly cost?: number | null;
    }
  /** A message of an extension, for the user only. */
  | {
      readonly type: 'shown';
      /** The kind of message, by which a renderer is found. */
      readonly messageKind: string;
      readonly data: JsonText;
      /** Text to show if there is no renderer. */
      readonly text: string;
      readonly from: SentBy;
    }
  /** A background prompt, which is not part of the conversation. */
  | { readonly type: 'background-began'; readonly id: string; readonly prompt: string }
  /** A step of a background prompt ended. If no prompt has this `id`, it is the cost of an answer that was not used. */
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
      /** The answer, or the error. */
      readonly text: string;
      readonly ok: boolean;
      /** Usage of all steps; only in old logs, which have no `background-step`. */
      readonly usage?: Usage;
      readonly cost?: number | null;
    }
  /** Python state was reset. */
  | { readonly type: 'python-anew'; readonly why: PythonAnew }
  /** The user withdrew their approval of this tool for the session. */
  | { readonly type: 'asks-again'; readonly tool: string }
  /** Deferred tools whose full definition is sent to the model from here on. */
  | { readonly type: 'handed-over'; readonly tools: readonly string[] };

/** The entry of a session in lists, stored beside its log and derived from it. */
export interface SessionHead {
  readonly id: string;
  /** Empty if there is none yet. */
  readonly title: string;
  readonly titled: 'no' | 'by-message' | 'by-person';
  readonly folder: string;
  readonly folderId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly changedAt: number;
  /** Number of events in its log. */
  readonly events: number;
  readonly messages: number;
  readonly model: ModelRef | null;
  readonly forkOf: string | null;
  /** The last event of the original that a fork copied; absent in other sessions, and in forks of earlier versions. */
  readonly forkAt?: number;
  /** The run of a plan, of which the session is a sub-agent; absent in other sessions. */
  readonly run?: string;
}
