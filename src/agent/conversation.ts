/** The interface of an open session, as the page uses it. */

import type { ModelRef, UserPart } from '../spec/model.ts';
import type { SessionState } from '../session/session-state.ts';
import type { Live } from './live.ts';

export interface SessionApprovals {
  /** Names of the tools that the user allowed for the rest of the session. */
  readonly allowedTools: readonly string[];
  /** Ends such a permission: the user is asked about the tool's next call. */
  askAgain(tool: string): void;
}

export interface Conversation {
  readonly id: string;
  readonly state: SessionState;
  readonly live: Live;
  /** False where another tab writes this session, and this one follows. */
  readonly writes: boolean;
  /** What is wrong with the stored session, for the user; null where nothing is. */
  readonly problem: string | null;
  /** Called after changes of `state`, `live`, `writes`, `problem` or `selected`, at most once a frame. @returns dispose */
  observe(listener: () => void): () => void;
  /** Begins a turn; during a turn, queues the message to steer it. @throws {ToolError} `limit` where it is too long */
  send(parts: readonly UserPart[]): void;
  /** Removes a queued message. */
  unsend(id: string): void;
  /** Ends the turn. What was done so far stays in the session. */
  stop(): void;
  /** Continues after a turn that failed, was stopped or was lost. */
  resume(): void;
  setStepMode(on: boolean): void;
  /** Lets the action happen that step mode waits before. */
  step(): void;
  /**
   * Selects tools, until the first message. Tools that the folder brings later are selected too, unless none were.
   * @param noOthers selects only these, whatever the folder brings
   */
  select(tools: readonly string[], noOthers?: boolean): void;
  /** The selected tools; locked from the first message on. */
  readonly selected: readonly string[];
  useModel(ref: ModelRef): void;
  /** @param text null for the default prompt */
  usePrompt(text: string | null): void;
  rename(title: string): void;
  /** Summarises earlier messages now. @throws {ModelError} where the session plays a recording */
  compact(): Promise<CompactionOutcome>;
  /** The sections of the next request's system prompt. */
  prompt(): Promise<readonly PromptSection[]>;
  /** Makes this tab write the session in place of another one. */
  takeOver(): Promise<void>;
  /** Makes this tab write the session, unless another tab does. @returns whether this tab writes now */
  claim(): Promise<boolean>;
  readonly approvals: SessionApprovals;
  readonly background: Background;
}

/** `busy`: a turn is running. `nothing`: there is nothing to summarise. `off`: compaction is off after failures. */
export type CompactionOutcome = 'done' | 'busy' | 'nothing' | 'off' | 'failed';

export interface PromptSection {
  readonly title: string;
  readonly text: string;
  /** An estimate. */
  readonly tokens: number;
}

/** A call of a background prompt. */
export interface BackgroundCall {
  readonly id: string;
  readonly name: string;
  /** Null while it runs. */
  readonly ok: boolean | null;
}

/** Runs one prompt at a time in the background, with the selected tools that are `background_safe`. */
export interface Background {
  readonly running: {
    readonly prompt: string;
    readonly since: number;
    readonly text: string;
    readonly calls: readonly BackgroundCall[];
  } | null;
  /** Newest last. */
  readonly ended: readonly {
    readonly prompt: string;
    readonly text: string;
    readonly ok: boolean;
    /** Empty for a prompt that ran in another tab or before a reload. */
    readonly calls: readonly BackgroundCall[];
  }[];
  /** @throws {ToolError} `limit` while one runs */
  start(prompt: string): void;
  cancel(): void;
}
