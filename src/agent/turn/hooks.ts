/**
 * The hooks of sessions. Extensions observe events, transform prompts and requests, intercept messages and steps, and
 * compact conversations.
 */

import { createInterceptors, type Interceptors } from '../../runtime/hooks/intercept.ts';
import { createObservers, type Observers } from '../../runtime/hooks/observe.ts';
import { createTransforms, type Transforms } from '../../runtime/hooks/transform.ts';
import type { ModelRef, ModelRequest, UserPart } from '../../runtime/spec/model.ts';
import type { SessionEvent } from '../../runtime/spec/session.ts';
import { AddedProviders } from '../providers/added-providers.ts';
import { Compactors } from './compactors.ts';
import type { PromptSection } from './live-session-types.ts';
import type { Live } from './live-state.ts';

/** The events that observers receive. */
export type AgentEvent =
  /** The session was opened or closed in this tab. */
  | { readonly type: 'opened' | 'closed'; readonly session: string }
  /**
   * An event that is already in the log. `messages`: how many messages of the user the session has
   * now.
   */
  | {
      readonly type: 'logged';
      readonly session: string;
      readonly event: SessionEvent;
      readonly messages: number;
    }
  | { readonly type: 'live'; readonly session: string; readonly live: Live };

/** The purpose of a request to a model. */
export interface RequestPurpose {
  readonly session: string;
  /** `turnId` is empty for anything but a step. */
  readonly kind: 'step' | 'summary' | 'background';
  readonly turnId: string;
  readonly model: ModelRef;
}

export interface StepRequest extends RequestPurpose {
  readonly request: ModelRequest;
}

/** The outcome of a step. A step of a turn is in the log already. */
export type StepOutcome = 'done' | 'failed';

/** A message that the user has sent, before it is logged. */
export interface MessageSent {
  readonly session: string;
  readonly turnId: string;
  /** Whether the message was sent while the turn was running. */
  readonly steering: boolean;
  readonly parts: readonly UserPart[];
  /** Additional text for the model, for this turn only. */
  readonly context: readonly UserPart[];
}

export interface AgentHooks {
  readonly observers: Observers<AgentEvent>;
  /** Changes the sections of the system prompt, including those shown to the user. */
  readonly prompt: Transforms<readonly PromptSection[], Pick<RequestPurpose, 'session' | 'kind'>>;
  /** Changes a request before it is sent. */
  readonly request: Transforms<ModelRequest, RequestPurpose>;
  /**
   * Intercepts messages. A hook may change the message, add context, or handle the message itself by not calling
   * `next`. If it throws, the message stays in the queue with the reason.
   */
  readonly messages: Interceptors<MessageSent, void>;
  /** Intercepts requests. A hook that does not call `next` prevents the request. */
  readonly steps: Interceptors<StepRequest, StepOutcome>;
  readonly compactors: Compactors;
  /** The model providers of extensions. */
  readonly providers: AddedProviders;
}

/** @param report receives the errors of hooks */
export function createAgentHooks(report: (thrown: unknown) => void): AgentHooks {
  return {
    observers: createObservers(report),
    prompt: createTransforms(report),
    request: createTransforms(report),
    messages: createInterceptors(),
    steps: createInterceptors(),
    compactors: new Compactors(),
    providers: new AddedProviders(report),
  };
}
