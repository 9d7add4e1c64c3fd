/** What a session is now: made from its log, event by event, the same each time. */

import type { AskedCall, AssistantPart, Finish, ModelRef, Usage, UserPart } from '../spec/model.ts';
import type { JsonText } from '../spec/json.ts';
import type { ToolResult } from '../spec/result.ts';
import type { Approval } from '../spec/call.ts';
import type { KeptFault, PythonAnew, SelectedTool, SessionHead, TurnEnd } from '../spec/session.ts';

export interface Selection {
  readonly tools: readonly SelectedTool[];
  readonly names: readonly (readonly [id: string, wire: string])[];
}

/** A call of the session, from the model's asking to its result. */
export interface SessionCall {
  readonly asked: AskedCall;
  readonly turnId: string;
  readonly phase: 'asked' | 'running' | 'ended';
  readonly approval: { readonly approval: Approval; readonly reason: string } | null;
  /** What it ran with. */
  readonly arguments: JsonText;
  /** Null until it has ended. */
  readonly result: ToolResult | null;
}

interface EntryBase {
  /** Of the event that began it: unique, and in the order of the transcript. */
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface MessageEntry extends EntryBase {
  readonly kind: 'message';
  readonly id: string;
  readonly turnId: string;
  readonly parts: readonly UserPart[];
  /** What extensions told the model besides, as long as its turn lasts; absent: nothing. */
  readonly context?: readonly UserPart[];
  readonly steering: boolean;
}

export interface StepEntry extends EntryBase {
  readonly kind: 'step';
  readonly stepId: string;
  readonly turnId: string;
  readonly model: ModelRef;
  /** Empty while it streams: then the conversation's live state has them. */
  readonly parts: readonly AssistantPart[];
  /** Null while it is under way. */
  readonly finish: Finish | 'cut' | null;
  readonly usage: Usage;
  readonly cost: number | null;
  readonly ms: number;
  readonly fault: KeptFault | null;
}

/** One line between messages. */
export type NoteEntry = EntryBase &
  (
    | { readonly kind: 'turn-ended'; readonly end: TurnEnd; readonly fault: KeptFault | null }
    | { readonly kind: 'compacted'; readonly before: number; readonly summary: string }
    | { readonly kind: 'python-anew'; readonly why: PythonAnew }
    | { readonly kind: 'model'; readonly model: ModelRef }
    | { readonly kind: 'prompt'; readonly text: string }
    | { readonly kind: 'forked'; readonly session: string }
  );

export type Entry = MessageEntry | StepEntry | NoteEntry;

/** A prompt beside the session. */
export interface BackgroundEntry {
  readonly id: string;
  readonly prompt: string;
  /** The answer, or why there is none; null while it runs. */
  readonly text: string | null;
  readonly ok: boolean;
}

/** Calls by their ids; a Map is one too. */
export interface Calls extends Iterable<readonly [string, SessionCall]> {
  readonly size: number;
  get(id: string): SessionCall | undefined;
  has(id: string): boolean;
  keys(): Iterable<string>;
  values(): Iterable<SessionCall>;
}

export interface SessionState {
  readonly head: SessionHead;
  /** Of a recording that it plays. */
  readonly replays: string | null;
  /** Null: the usual one. */
  readonly prompt: string | null;
  /** Null until the first message; from then on locked. */
  readonly selection: Selection | null;
  /** The transcript; `turn-ended` only where a turn ended otherwise than done. */
  readonly entries: readonly Entry[];
  /** By their ids. */
  readonly calls: Calls;
  /** The turn that the log says is under way. */
  readonly turnId: string | null;
  /** Tools that are allowed for this session. */
  readonly allowed: ReadonlySet<string>;
  /** Deferred tools that the model has the whole definition of. */
  readonly handedOver: ReadonlySet<string>;
  readonly compaction: { readonly before: number; readonly summary: string } | null;
  /** The latest prompts beside the session, newest last. */
  readonly background: readonly BackgroundEntry[];
  /** Of all answers, be they steps, summaries or of the background. */
  readonly usage: Usage;
  /** US dollars of all answers whose price is known; null where none is. */
  readonly cost: number | null;
  /** Tokens of the latest step, request and answer: about what the next one begins with. Null where unknown. */
  readonly context: number | null;
}
