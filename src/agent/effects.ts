/** What a turn is handed: everything that it does outside itself. */

import type { SessionLog } from '../session/session-log.ts';
import type { ToolCall } from '../spec/call.ts';
import type { ModelInfo, ModelPart, ModelRef, ModelRequest, UserPart } from '../spec/model.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { BuiltInAnswer } from './built-in-calls.ts';
import type { AgentHooks } from './hooks.ts';
import type { Live, Queued } from './live.ts';
import type { LiveState } from './live-state.ts';

/** Time, chance and names. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** From 0 to below 1. */
  random(): number;
  /** @throws the signal's reason */
  wait(signal: AbortSignal, ms: number): Promise<void>;
}

export interface TurnEffects {
  readonly log: Pick<SessionLog, 'id' | 'state' | 'writes' | 'append' | 'draft'>;
  readonly live: LiveState;
  readonly hooks: AgentHooks;
  readonly clock: Clock;
  /**
   * @param stepId of the step that the answer becomes; null: it is none of the conversation, as a summary
   * @throws {ModelError}
   */
  ask(
    signal: AbortSignal,
    model: ModelRef,
    request: ModelRequest,
    stepId: string | null,
  ): AsyncIterable<ModelPart>;
  info(model: ModelRef): ModelInfo | undefined;
  /** The tool as it is now; undefined where the folder has it no more. */
  tool(name: string): RegisteredTool | undefined;
  /** Why {@link tool} has none of that name now, for the model. */
  whyMissing(name: string): string;
  /**
   * The one way to run a tool. Never rejects.
   * @param onStart called when the call leaves the queue, after all questions
   * @param answer of a built-in tool
   */
  call(
    signal: AbortSignal,
    call: ToolCall,
    onStart?: () => void,
    answer?: BuiltInAnswer,
  ): Promise<ToolResult>;
  /** Logs a call that is refused before it is made. */
  readonly refuse: (call: ToolCall, result: ToolResult) => void;
  /** Takes the messages that wait, those that were stopped aside. */
  readonly takeQueue: () => readonly Queued[];
  /** Lets messages wait again, before all others. */
  readonly putBack: (messages: readonly Queued[]) => void;
  /** The messages that a recording has for the turn at this point; absent where none can play. */
  readonly due?: () => readonly (readonly UserPart[])[];
  /** Aborts when a message comes. */
  steered(): AbortSignal;
  /** Aborts when next the person says something or chooses another model. */
  hurried(): AbortSignal;
  /** Resolves when step mode lets this happen, at once where it is off. @throws the signal's reason */
  gate(signal: AbortSignal, before: NonNullable<Live['paused']>): Promise<void>;
  /** Told of what should not happen. */
  readonly report: (thrown: unknown) => void;
}
