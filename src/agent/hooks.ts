/**
 * Where foreign code joins in: it may observe what happens, transform what a model is sent, and stand round messages,
 * steps and summaries. Calls of tools have interceptors of their own, which hold for whoever calls.
 */

import { createInterceptors, type Interceptors } from '../hooks/intercept.ts';
import { createObservers, type Observers } from '../hooks/observe.ts';
import { createTransforms, type Transforms } from '../hooks/transform.ts';
import type { ModelMessage, ModelRef, ModelRequest, Usage, UserPart } from '../spec/model.ts';
import type { SessionEvent } from '../spec/session.ts';
import type { Live } from './live.ts';
import type { PromptSection } from './conversation-type.ts';

/** Everything that can be observed of a session. */
export type AgentEvent =
  /** It is open in this page now, or not any more. */
  | { readonly type: 'opened' | 'closed'; readonly session: string }
  /** It is in the log now. */
  | { readonly type: 'logged'; readonly session: string; readonly event: SessionEvent }
  | { readonly type: 'live'; readonly session: string; readonly live: Live };

/** For what a model is asked. */
export interface Asking {
  readonly session: string;
  /** A summary and a background prompt are asked beside the steps of turns: their `turnId` is empty. */
  readonly kind: 'step' | 'summary' | 'background';
  readonly turnId: string;
  readonly model: ModelRef;
}

/** What a step asks, and of which model. */
export interface StepAsked extends Asking {
  readonly request: ModelRequest;
}

/** How a step is made of that; its outcome is in the log by then. */
export type StepMade = 'done' | 'failed';

/** A message of the person on its way into the session. */
export interface MessageSent {
  readonly session: string;
  readonly turnId: string;
  /** It comes in the middle of a turn. */
  readonly steering: boolean;
  readonly parts: readonly UserPart[];
  /** What the model is told besides, as long as this turn lasts. */
  readonly context: readonly UserPart[];
}

/** What older messages are to become one text of. */
export interface SummaryAsked {
  readonly session: string;
  readonly model: ModelRef;
  readonly messages: readonly ModelMessage[];
}

export interface Summary {
  readonly summary: string;
  readonly usage: Usage;
}

export interface AgentHooks {
  readonly observers: Observers<AgentEvent>;
  /** Sections of the system prompt, before they become its text; also where the person looks at them. */
  readonly prompt: Transforms<readonly PromptSection[], Pick<Asking, 'session' | 'kind'>>;
  /** All that a model is sent. */
  readonly request: Transforms<ModelRequest, Asking>;
  /**
   * Round each message: one may change it, add context, take it for itself by not going on, or stop it by throwing; then
   * it waits, with the reason, until the person takes it back.
   */
  readonly messages: Interceptors<MessageSent, void>;
  /** Round each step; one that does not go on keeps the model from being asked. */
  readonly steps: Interceptors<StepAsked, StepMade>;
  /** Round each summary of older messages; one that does not go on makes it in place of the model. */
  readonly summaries: Interceptors<SummaryAsked, Summary>;
}

/** @param report told of what foreign code throws */
export function createAgentHooks(report: (thrown: unknown) => void): AgentHooks {
  return {
    observers: createObservers(report),
    prompt: createTransforms(report),
    request: createTransforms(report),
    messages: createInterceptors(),
    steps: createInterceptors(),
    summaries: createInterceptors(),
  };
}
