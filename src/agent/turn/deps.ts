/**
 * The dependencies of a turn: the session's log and live state, the model, the tools and the clock.
 */

import type { CheckArguments } from '../../runtime/protocol/argument-check.ts';
import type { SessionLog } from '../session/log/session-log.ts';
import type { Programs } from '../programs/programs.ts';
import type { CompactionBreaker } from './compactors.ts';
import type { AgentHooks } from './hooks.ts';
import type { LiveState } from './live-state.ts';
import type { ToolSelection } from './selection.ts';
import type { SessionCalls } from './session-calls.ts';
import type { SessionModels } from './session-models.ts';

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
  readonly models: Pick<SessionModels, 'ask' | 'info' | 'recordedMessages'>;
  readonly calls: Pick<SessionCalls, 'call' | 'refuse'>;
  readonly programs: Pick<Programs, 'run'>;
  readonly checkArguments: CheckArguments;
  /** Receives unexpected errors. */
  readonly report: (thrown: unknown) => void;
}
