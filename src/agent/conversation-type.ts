/** A session that is open in this page, as the person and the status bar see it. */

import type { ModelRef, UserPart } from '../spec/model.ts';
import type { SessionState } from '../session/session-state.ts';
import type { Live } from './live.ts';

/** What the person has allowed for the rest of the session. */
export interface SessionApprovals {
  /** Names of tools. */
  readonly allowedTools: readonly string[];
  /** Has the person asked about calls of the tool again, from the next one on. */
  askAgain(tool: string): void;
}

export interface Conversation {
  readonly id: string;
  readonly state: SessionState;
  readonly live: Live;
  /** False: another page writes this session, and this one follows. */
  readonly writes: boolean;
  /** What is wrong with what is stored of it, for the person; null: nothing. */
  readonly problem: string | null;
  /** Told of every change of `state`, `live`, `writes`, `problem` or `selected`, at most once a frame. @returns dispose */
  observe(listener: () => void): () => void;
  /** Idle: begins a turn, and locks the selection at the first. In a turn: steers it. @throws {ToolError} `limit` where it is too long */
  send(parts: readonly UserPart[]): void;
  /** Takes a queued message back. */
  unsend(id: string): void;
  /** Ends the turn, and keeps what was done. */
  stop(): void;
  /** Goes on after a turn that failed, was stopped or lost. */
  resume(): void;
  setStepMode(on: boolean): void;
  /** Lets the one thing happen that step mode waits before. */
  step(): void;
  /**
   * Which tools, until the first message. What the folder brings later is selected too, unless no tool was.
   * @param noOthers only these, whatever comes
   */
  select(tools: readonly string[], noOthers?: boolean): void;
  /** Those selected: in the open until the first message. */
  readonly selected: readonly string[];
  useModel(ref: ModelRef): void;
  /** Null: the usual base text. */
  usePrompt(text: string | null): void;
  rename(title: string): void;
  /** Summarises earlier messages now. @throws {ModelError} where a recording plays in place of a model */
  compact(): Promise<Compacted>;
  /** The system prompt as the next request carries it, in sections, each with its estimate. */
  prompt(): Promise<readonly PromptSection[]>;
  /** Takes over the writing from another page. */
  takeOver(): Promise<void>;
  /** Writes, unless another page does. @returns whether this one does now */
  claim(): Promise<boolean>;
  readonly approvals: SessionApprovals;
  readonly background: Background;
}

/** How a compaction ended: not begun, since a turn is under way (`busy`), `nothing` to summarise, or `off` after failures. */
export type Compacted = 'done' | 'busy' | 'nothing' | 'off' | 'failed';

export interface PromptSection {
  readonly title: string;
  readonly text: string;
  /** Tokens, about. */
  readonly tokens: number;
}

/** A call that a prompt beside the session has made. */
export interface BackgroundCall {
  readonly id: string;
  readonly name: string;
  /** Null while it runs. */
  readonly ok: boolean | null;
}

/** One prompt run beside the session with the selected tools that are `background_safe`. */
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
    /** Of a prompt that ran in this page; those of others are in the call log alone. */
    readonly calls: readonly BackgroundCall[];
  }[];
  /** @throws {ToolError} `limit` while one runs */
  start(prompt: string): void;
  cancel(): void;
}
