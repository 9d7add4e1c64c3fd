/** The interface of an open session, as used by the page. */

import type { JsonText } from '../../runtime/spec/json.ts';
import type { ModelMessage, ModelRef, UserPart } from '../../runtime/spec/model.ts';
import type { SessionState, ShownEntry } from '../session/session-state.ts';
import type { SentBy } from '../../runtime/spec/session.ts';
import type { Live } from './live.ts';

export type ShownMessage = Pick<ShownEntry, 'messageKind' | 'data' | 'text' | 'from'>;

export interface SessionApprovals {
  /** Names of the tools that the user allowed for the rest of the session. */
  readonly allowedTools: readonly string[];
  /** Withdraws such a permission: the user is asked about the tool's next call again. */
  askAgain(tool: string): void;
}

export interface Conversation {
  readonly id: string;
  readonly state: SessionState;
  readonly live: Live;
  /** False if another tab writes this session, and this tab follows. */
  readonly writes: boolean;
  /** A problem with the stored session, for the user; null if there is none. */
  readonly problem: string | null;
  /**
   * Calls the listener soon after changes of `state`, `live`, `writes`, `problem` or `selected`, once for all of them.
   *
   * @returns dispose
   */
  observe(listener: () => void): () => void;
  /** Like `observe`, for drawing: calls the listener in an animation frame, at most once every 60 ms. */
  observeFrames(listener: () => void): () => void;
  /**
   * Starts a turn. During a turn, queues the message for the turn's next request.
   *
   * @throws {ToolError} `limit` if the message is too long
   */
  send(parts: readonly UserPart[], from?: SentBy): void;
  unsend(id: string): void;
  /**
   * Cancels running calls so that the queued messages are sent sooner, except calls to tools with `interrupt: 'block'`.
   */
  interrupt(): void;
  /** Ends the turn. Its results so far stay in the session. */
  stop(): void;
  /** Continues after a turn that failed, was stopped or was lost. */
  resume(): void;
  setStepMode(on: boolean): void;
  /**
   * Runs the action for which step mode is waiting.
   *
   * @param args JSON object with which a call runs instead of the model's arguments
   * @throws {ToolError} `limit`
   */
  step(args?: JsonText): void;
  /**
   * Selects tools; possible until the first message. Tools that the folder adds later are selected too, unless none
   * was.
   *
   * @param noOthers whether later tools stay unselected
   */
  select(tools: readonly string[], noOthers?: boolean): void;
  /** The selected tools; locked once the first message is sent. */
  readonly selected: readonly string[];
  useModel(ref: ModelRef): void;
  /** @param text null for the default prompt */
  usePrompt(text: string | null): void;
  rename(title: string): void;
  /**
   * Replaces all messages that the model is sent so far. The transcript does not change.
   * @param summary the same for the user
   * @param from the file of the extension that replaces them
   * @throws {ToolError} `bad-input` while a turn runs; `storage` if another tab writes the session;
   * `limit`
   */
  replaceMessages(messages: readonly ModelMessage[], summary: string, from: string): void;
  /** Adds a message of an extension for the user. @throws {ToolError} `limit`, or if another tab writes the session */
  show(message: ShownMessage): void;
  /**
   * Summarises earlier messages now.
   *
   * @throws {ModelError} if the session plays a recording
   */
  compact(): Promise<CompactionOutcome>;
  /** The sections of the next request's system prompt. */
  prompt(): Promise<readonly PromptSection[]>;
  /** Makes this tab write the session instead of another one. */
  takeOver(): Promise<void>;
  /**
   * Makes this tab write the session, unless another tab does.
   *
   * @returns whether this tab now writes
   */
  claim(): Promise<boolean>;
  readonly approvals: SessionApprovals;
  readonly background: Background;
}

/**
 * `busy`: a turn is running. `nothing`: there is nothing to summarise. `off`: compaction is off after repeated
 * failures.
 */
export type CompactionOutcome = 'done' | 'busy' | 'nothing' | 'off' | 'failed';

export interface PromptSection {
  readonly title: string;
  readonly text: string;
  /** An estimate of the section's tokens. */
  readonly tokens: number;
  /** The file of the extension that added the section. */
  readonly from?: string;
}

export interface BackgroundCall {
  readonly id: string;
  readonly name: string;
  /** Null while the call runs. */
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
  /** Ended prompts, newest last. */
  readonly ended: readonly {
    readonly prompt: string;
    readonly text: string;
    readonly ok: boolean;
    /** Empty for a prompt that ran in another tab or before a reload. */
    readonly calls: readonly BackgroundCall[];
  }[];
  /** @throws {ToolError} `limit` while a prompt is running */
  start(prompt: string): void;
  cancel(): void;
}
