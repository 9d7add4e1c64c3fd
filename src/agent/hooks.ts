/**
 * The hooks of sessions. Extensions observe events, transform prompts and requests, intercept messages and steps, and
 * compact conversations.
 */

import { createObservers, type Observers } from '../hooks/observe.ts';
import { ToolError } from '../spec/error.ts';
import type { ModelRef, ModelRequest, UserPart } from '../spec/model.ts';
import type { SessionEvent } from '../spec/session.ts';
import { AddedProviders } from './added-providers.ts';
import { Compactors } from './compactors.ts';
import type { PromptSection } from './conversation.ts';
import type { Live } from './live.ts';

/** The events that observers receive. */
export type AgentEvent =
  /** The session was opened or closed in this tab. */
  | { readonly type: 'opened' | 'closed'; readonly session: string }
  /** The event is in the log already. `messages`: how many messages of the user the session has now. */
  | {
      readonly type: 'logged';
      readonly session: string;
      readonly event: SessionEvent;
      readonly messages: number;
    }
  | { readonly type: 'live'; readonly session: string; readonly live: Live };

/** The purpose of a request to a model. */
export interface Asking {
  readonly session: string;
  /** Only a step has a `turnId`; for others it is empty. */
  readonly kind: 'step' | 'summary' | 'background';
  readonly turnId: string;
  readonly model: ModelRef;
}

/** A request to a model. */
export interface StepAsked extends Asking {
  readonly request: ModelRequest;
}

/** How a step ended. A step of a turn is in the log already. */
export type StepMade = 'done' | 'failed';

/** A message that the user has sent, before it is logged. */
export interface MessageSent {
  readonly session: string;
  readonly turnId: string;
  /** It was sent while the turn was running. */
  readonly steering: boolean;
  readonly parts: readonly UserPart[];
  /** Additional text for the model, for this turn only. */
  readonly context: readonly UserPart[];
}

export interface AgentHooks {
  readonly observers: Observers<AgentEvent>;
  /** Changes the sections of the system prompt, including those shown to the user. */
  readonly prompt: Transforms<readonly PromptSection[], Pick<Asking, 'session' | 'kind'>>;
  /** Changes a request before it is sent. */
  readonly request: Transforms<ModelRequest, Asking>;
  /**
   * Intercepts messages. A hook may change the message, add context, or handle the message itself by not calling
   * `next`. If it throws, the message stays in the queue with the reason.
   */
  readonly messages: Interceptors<MessageSent, void>;
  /** Intercepts requests. A hook that does not call `next` prevents the request. */
  readonly steps: Interceptors<StepAsked, StepMade>;
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

/** @template C describes the destination of the value to each transform */
interface Transforms<T, C = undefined> {
  /** Registers a transform; the lowest priority runs first. @returns dispose */
  add(priority: number, change: (value: T, where: C) => T | Promise<T>): () => void;
  /** The value after all transforms. Never rejects. */
  run(value: T, where: C): Promise<T>;
}

/** A list of transforms. It sets no deadlines: registrants wrap foreign transforms in one. @param report receives what they throw */
export function createTransforms<T, C = undefined>(
  report: (error: unknown) => void,
): Transforms<T, C> {
  let changes: readonly Change<T, C>[] = [];
  return {
    add(priority, change) {
      const entry = { priority, change };
      changes = [...changes, entry].sort((a, b) => a.priority - b.priority);
      return () => {
        changes = changes.filter((other) => other !== entry);
      };
    },
    async run(value, where) {
      let current = value;
      for (const { change } of changes) {
        try {
          current = await change(current, where);
        } catch (error) {
          report(error);
        }
      }
      return current;
    },
  };
}

interface Change<T, C> {
  readonly priority: number;
  readonly change: (value: T, where: C) => T | Promise<T>;
}

/** Continues with the next interceptor or the tool. May be called once. */
type Next<C, R> = (call: C) => Promise<R>;

type Interceptor<C, R> = (call: C, next: Next<C, R>) => Promise<R>;

interface Interceptors<C, R> {
  /** Registers an interceptor; the highest priority runs first, around the others. @returns dispose */
  intercept(priority: number, interceptor: Interceptor<C, R>): () => void;
  /** Runs a call through the current interceptors and then `last`. Rejects with what any of them throws. */
  run(call: C, last: (call: C) => Promise<R>): Promise<R>;
}

/** A list of interceptors. It sets no deadlines: registrants wrap foreign interceptors in one. */
export function createInterceptors<C, R>(): Interceptors<C, R> {
  let entries: readonly Entry<C, R>[] = [];
  return {
    intercept(priority, interceptor) {
      const entry = { priority, interceptor };
      // Equal priorities keep the order of registration, since sorting is stable.
      entries = [...entries, entry].sort((a, b) => b.priority - a.priority);
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    run(call, last) {
      return step(entries, 0, call, last);
    },
  };
}

interface Entry<C, R> {
  readonly priority: number;
  readonly interceptor: Interceptor<C, R>;
}

async function step<C, R>(
  entries: readonly Entry<C, R>[],
  index: number,
  call: C,
  last: (call: C) => Promise<R>,
): Promise<R> {
  const entry = entries[index];
  if (entry === undefined) return last(call);
  let called = false;
  return entry.interceptor(call, (changed) => {
    if (called) {
      throw new ToolError(
        'bad-input',
        'An interceptor called next twice.',
        'Call next at most once. To run the tool again, make another call.',
      );
    }
    called = true;
    return step(entries, index + 1, changed, last);
  });
}
