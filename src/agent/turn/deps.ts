/**
 * The dependencies of a turn: the session's log and live state, the model, the tools and the clock.
 */

import type { CheckArguments } from '../../runtime/protocol/argument-check.ts';
import type { SessionLog } from '../session/log/session-log.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import type {
  ModelInfo,
  ModelPart,
  ModelRef,
  ModelRequest,
  UserPart,
} from '../../runtime/spec/model.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { BuiltInAnswer } from './built-in-tools.ts';
import type { CompactionBreaker } from './compactors.ts';
import type { AgentHooks } from './hooks.ts';
import type { LiveState } from './live.ts';
import type { ToolSelection } from './selection.ts';

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** A random number from 0 to below 1. */
  random(): number;
  /** @throws the signal's reason */
  wait(signal: AbortSignal, ms: number): Promise<void>;
}

export interface TurnDeps {
  readonly log: Pick<SessionLog, 'id' | 'state' | 'writes' | 'claim' | 'append' | 'draft'>;
  readonly live: LiveState;
  readonly selection: ToolSelection;
  readonly breaker: CompactionBreaker;
  readonly hooks: AgentHooks;
  readonly clock: Clock;
  /**
   * Asks a model.
   *
   * @param stepId the step of the answer; null for requests outside the conversation, such as summaries
   * @throws {ModelError}
   */
  ask(
    signal: AbortSignal,
    model: ModelRef,
    request: ModelRequest,
    stepId: string | null,
  ): AsyncIterable<ModelPart>;
  info(model: ModelRef): ModelInfo | undefined;
  /**
   * Runs a tool. Never rejects.
   * @param onStart called when the call starts, after the user's approval
   * @param answer answers the call to a built-in tool
   */
  call(
    signal: AbortSignal,
    call: ToolCall,
    onStart?: () => void,
    answer?: BuiltInAnswer,
  ): Promise<ToolResult>;
  readonly checkArguments: CheckArguments;
  /** Logs a call that was refused before it ran. */
  readonly refuse: (call: ToolCall, result: ToolResult) => void;
  /** The messages that a recording sends at this point of the turn; absent if no recording can play. */
  recordedMessages?(): readonly (readonly UserPart[])[];
  /** Receives unexpected errors. */
  readonly report: (thrown: unknown) => void;
}
