/** The state of a session, as computed from its log. */

import type {
  AskedCall,
  AssistantPart,
  Finish,
  ModelMessage,
  ModelRef,
  Usage,
} from '../../runtime/spec/model.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { Approval } from '../../runtime/spec/call.ts';
import type {
  StoredFault,
  PythonAnew,
  SelectedTool,
  SentMessage,
  SessionHead,
  SessionTask,
  TurnEnd,
} from '../../runtime/spec/session.ts';

/** Returns the name of a call's tool, or the name that the model invented. */
export function calledToolName({ tool, wire }: Pick<AskedCall, 'tool' | 'wire'>): string {
  return tool === '' ? wire : tool;
}

export function isSameModel(one: ModelRef | null, other: ModelRef | null): boolean {
  return one?.provider === other?.provider && one?.model === other?.model;
}

export interface Selection {
  readonly tools: readonly SelectedTool[];
  /** The name under which models get each tool, since providers allow fewer characters than ids have. */
  readonly names: readonly (readonly [id: string, wire: string])[];
  /** Set if the model may write programs that call the tools. */
  readonly programs?: true;
}

/** A call that a program made. */
export interface NestedCall {
  readonly id: string;
  readonly tool: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Long ones are cut, so that they may be no JSON. */
  readonly arguments: string;
  /** Null until the call has ended. Long texts are cut. */
  readonly result: ToolResult | null;
}

/** A call, from the model's request to its result. */
export interface SessionCall {
  readonly asked: AskedCall;
  readonly turnId: string;
  readonly phase: 'asked' | 'running' | 'ended';
  readonly approval: { readonly approval: Approval; readonly reason: string } | null;
  readonly arguments: JsonText;
  /** Null until the call has ended. */
  readonly result: ToolResult | null;
  /** The calls of a program, in the order in which they began; absent if it made none. */
  readonly nested?: readonly NestedCall[];
  /** Set if the user replaced the result when they forked the session. */
  readonly edited?: true;
}

interface EntryBase {
  /** The number of the event that started the entry. Numbers are unique, and ascend through the transcript. */
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface MessageEntry extends EntryBase, SentMessage {
  readonly kind: 'message';
}

export interface StepEntry extends EntryBase {
  readonly kind: 'step';
  readonly stepId: string;
  readonly turnId: string;
  readonly model: ModelRef;
  /** Empty while the step streams: its parts are then in the live state. */
  readonly parts: readonly AssistantPart[];
  /** Null while the step is in progress. */
  readonly finish: Finish | 'cut' | null;
  readonly usage: Usage;
  readonly cost: number | null;
  readonly ms: number;
  /** Set if the usage is an estimate, because the answer was cut before the provider reported it. */
  readonly estimated?: true;
  readonly fault: StoredFault | null;
}

/** A message of an extension, which models do not see. */
export interface ShownEntry extends EntryBase {
  readonly kind: 'shown';
  readonly messageKind: string;
  readonly data: JsonText;
  readonly text: string;
  readonly from: { readonly extension: string; readonly file: string };
}

/** A note between messages. */
export type NoteEntry = EntryBase &
  (
    | { readonly kind: 'turn-ended'; readonly end: TurnEnd; readonly fault: StoredFault | null }
    | {
        readonly kind: 'compacted';
        readonly before: number;
        readonly summary: string;
        /** The file of the extension that compacted; absent for Cloche itself. */
        readonly from?: string;
      }
    | { readonly kind: 'python-anew'; readonly why: PythonAnew }
    | { readonly kind: 'model'; readonly model: ModelRef }
    | { readonly kind: 'prompt'; readonly text: string }
    | { readonly kind: 'forked'; readonly session: string }
  );

export type Entry = MessageEntry | StepEntry | ShownEntry | NoteEntry;

export interface BackgroundEntry {
  readonly id: string;
  readonly prompt: string;
  /** The answer, or why there is none; null while the prompt runs. */
  readonly text: string | null;
  readonly ok: boolean;
}

/** Calls by id. A Map implements this interface, too. */
export interface Calls extends Iterable<readonly [string, SessionCall]> {
  readonly size: number;
  get(id: string): SessionCall | undefined;
  has(id: string): boolean;
  keys(): Iterable<string>;
  values(): Iterable<SessionCall>;
}

export interface SessionState {
  readonly head: SessionHead;
  /** JSON of the recording that the session plays; null if it plays none. */
  readonly replays: string | null;
  /** The task of a sub-agent's session; null in other sessions. */
  readonly task: SessionTask | null;
  /** Null for the default prompt. */
  readonly prompt: string | null;
  /** Null until the first message, and then locked. */
  readonly selection: Selection | null;
  /** The transcript. It contains `turn-ended` only for turns that did not end with `done`. */
  readonly entries: readonly Entry[];
  readonly calls: Calls;
  /** The running turn, according to the log. */
  readonly turnId: string | null;
  /** Tools that the user allowed for the rest of this session. */
  readonly allowed: ReadonlySet<string>;
  /** Deferred tools whose parameters the model knows. */
  readonly handedOver: ReadonlySet<string>;
  readonly compaction: {
    readonly before: number;
    readonly summary: string;
    /** Messages to send in place of the summary. */
    readonly messages?: readonly ModelMessage[];
  } | null;
  /** The latest background prompts, newest last. */
  readonly background: readonly BackgroundEntry[];
  /** The sum of all answers: steps, summaries and background prompts. */
  readonly usage: Usage;
  /** US dollars of all answers with a known price; null if there are none. */
  readonly cost: number | null;
  /** Tokens of the latest step's request and answer, about the size of the next request; null if unknown. */
  readonly context: number | null;
}

/** When more own calls than this would be copied, they are merged into the base. */
const maxOwn = 200;

/** A map of thousands of calls that is cheap to copy for the next state. */
export class CallMap implements Calls {
  /** The base is shared with other maps, and therefore never changed. */
  readonly #base: ReadonlyMap<string, SessionCall>;
  /** Calls that are missing in the base, or differ from it. */
  readonly #own: Map<string, SessionCall>;
  #size: number;

  /** @param other the map to copy, which must not be changed any more */
  constructor(other: Calls | null = null) {
    if (other instanceof CallMap && other.#own.size <= maxOwn) {
      this.#base = other.#base;
      this.#own = new Map(other.#own);
    } else {
      this.#base = other instanceof CallMap && other.#base.size === 0 ? other.#own : new Map(other);
      this.#own = new Map();
    }
    this.#size = other?.size ?? 0;
  }

  get size(): number {
    return this.#size;
  }

  get(id: string): SessionCall | undefined {
    return this.#own.get(id) ?? this.#base.get(id);
  }

  has(id: string): boolean {
    return this.#own.has(id) || this.#base.has(id);
  }

  /** Call this only before the map is shared. */
  set(id: string, call: SessionCall): void {
    if (!this.has(id)) this.#size += 1;
    this.#own.set(id, call);
  }

  *keys(): Generator<string> {
    for (const [id] of this) yield id;
  }

  /** The calls in the order in which they were added. */
  *values(): Generator<SessionCall> {
    for (const [, call] of this) yield call;
  }

  *[Symbol.iterator](): Generator<readonly [string, SessionCall]> {
    for (const [id, call] of this.#base) yield [id, this.#own.get(id) ?? call];
    for (const [id, call] of this.#own) if (!this.#base.has(id)) yield [id, call];
  }
}
