/** Where foreign code joins in a turn: it may observe events, transform what a model is sent, and stand round each step. */

import { createInterceptors, type Interceptors } from '../hooks/intercept.ts';
import { createObservers, type Observers } from '../hooks/observe.ts';
import { createTransforms, type Transforms } from '../hooks/transform.ts';
import type { ModelRef, ModelRequest, ToolAnswer } from '../spec/model.ts';
import type { SessionEvent } from '../spec/session.ts';
import type { Live } from './live.ts';
import type { PromptSection } from './conversation-type.ts';

/** Everything that can be observed of a session. */
export type AgentEvent =
  /** It is in the log now. */
  | { readonly type: 'logged'; readonly session: string; readonly event: SessionEvent }
  | { readonly type: 'live'; readonly session: string; readonly live: Live };

/** What a step asks, and of which model. */
export interface StepAsked {
  readonly session: string;
  /** A summary and a background prompt are asked beside the steps of turns: their `turnId` is empty. */
  readonly kind: 'step' | 'summary' | 'background';
  readonly turnId: string;
  readonly model: ModelRef;
  readonly request: ModelRequest;
}

/** How a step is made of that; its outcome is in the log by then. */
export type StepMade = 'done' | 'failed';

export interface AgentHooks {
  readonly observers: Observers<AgentEvent>;
  /** Sections of the system prompt, before they become its text. */
  readonly prompt: Transforms<readonly PromptSection[]>;
  /** All that a model is sent. */
  readonly request: Transforms<ModelRequest>;
  /** What a model is told of a call. */
  readonly answer: Transforms<ToolAnswer>;
  /** Round each step; one that does not go on keeps the model from being asked. */
  readonly steps: Interceptors<StepAsked, StepMade>;
}

/** @param report told of what foreign code throws */
export function createAgentHooks(report: (thrown: unknown) => void): AgentHooks {
  return {
    observers: createObservers(report),
    prompt: createTransforms(report),
    request: createTransforms(report),
    answer: createTransforms(report),
    steps: createInterceptors(),
  };
}
