/** Between the page and the worker that asks models; both ours. Keys cross it, for one request each, and go no further. */

import type { ModelFault } from '../spec/model-error.ts';
import type { Limits } from '../spec/limits.ts';
import type {
  HttpKind,
  ListedModel,
  ModelMessage,
  ModelPart,
  ModelRef,
  ModelRequest,
} from '../spec/model.ts';

/** A list of models may come in many pages; milliseconds. */
export const longestListMs = 600_000;

/** How one provider is reached: where it is, and what it wants to be shown. */
export interface ProviderAccess {
  readonly kind: HttpKind;
  /** For people. */
  readonly name: string;
  /** Never empty; without a slash at the end. */
  readonly baseUrl: string;
  /** Empty: none. */
  readonly key: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export type ModelLimits = Pick<
  Limits,
  'modelFirstMs' | 'modelIdleMs' | 'modelAnswerBytes' | 'models'
>;

/** One request to a provider. */
export interface ModelQuestion {
  readonly access: ProviderAccess;
  readonly limits: ModelLimits;
}

export interface AnswerQuestion extends ModelQuestion {
  readonly ref: ModelRef;
  readonly request: ModelRequest;
}

/** A {@link ModelError}, which would lose its fields as an error. */
export interface SentError {
  readonly fault: ModelFault;
  readonly message: string;
  readonly hint?: string;
  readonly retryAfterMs: number | null;
}

/** Of one that was asked for its models. */
export type ListAnswer =
  { readonly models: readonly ListedModel[] } | { readonly error: SentError };

/** What has come of an answer since the last word of it. */
export interface AnswerPieces {
  /** None where nothing has come for some seconds: the worker is alive, and has clocks of its own for what it asks. */
  readonly parts: readonly ModelPart[];
  /** Null: there is more to come. */
  readonly end: { readonly error: SentError | null } | null;
}

/** The page makes up the ids. An expected failure crosses as data, and then nothing more comes of that id. */
export interface ModelWorker {
  /** The next messages of a conversation that is too long to be sent in one go; `ask` brings the last ones. */
  take(id: number, messages: readonly ModelMessage[]): void;
  /** Begins to ask; resolves with what comes first, or as `next` does. */
  ask(id: number, question: AnswerQuestion): Promise<AnswerPieces>;
  /** The next of it, once there is any; with nothing within seconds where there is none. */
  next(id: number): Promise<AnswerPieces>;
  /** Ends within {@link longestListMs}. */
  list(id: number, question: ModelQuestion): Promise<ListAnswer>;
  /** Gives up a request and what is left of its answer. */
  cancel(id: number): void;
}
