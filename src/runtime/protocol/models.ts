/** The wire between the page and the model worker, both trusted. Each request carries its key, which is stored nowhere. */

import type { ModelFault } from '../spec/model-error.ts';
import type { JsonObject, JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type {
  HttpKind,
  ListedModel,
  ModelExchange,
  ModelMessage,
  ModelPart,
  ModelRef,
  ModelRequest,
  ToolDefinition,
} from '../spec/model.ts';
import type { SentStart } from './sent-messages.ts';

/** Deadline for listing models, which may take many requests; milliseconds. */
export const longestListMs = 600_000;

export interface ProviderAccess {
  readonly kind: HttpKind;
  readonly name: string;
  /** Address without a trailing slash; not empty. */
  readonly baseUrl: string;
  /** Empty if there is none. */
  readonly key: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export type ModelLimits = Pick<
  Limits,
  'modelFirstMs' | 'modelIdleMs' | 'modelAnswerBytes' | 'models'
>;

/** A request to a provider. */
export interface ModelQuestion {
  readonly access: ProviderAccess;
  readonly limits: ModelLimits;
}

export interface AnswerQuestion extends ModelQuestion {
  readonly ref: ModelRef;
  /** The request, whose messages follow those of `start`. */
  readonly request: Omit<ModelRequest, 'tools'>;
  /** The start of the conversation, which an earlier request has sent; null if this request has all of its messages. */
  readonly start: SentStart | null;
  /** The tools of the request as JSON, which the worker reads only once for all requests that have the same ones. */
  readonly tools: JsonText;
}

/** A {@link ModelError} as plain data, since a cloned error loses its fields. */
export interface SentError {
  readonly fault: ModelFault;
  readonly message: string;
  readonly hint?: string;
  readonly retryAfterMs: number | null;
}

/** Models of a provider, or why they could not be listed. */
export type ListAnswer =
  { readonly models: readonly ListedModel[] } | { readonly error: SentError };

/** A place where the schema that a provider gets differs from the tool's. */
export interface SchemaChange {
  /** JSON Pointer into the schema that is sent, or into the tool's own for what is left out. */
  readonly pointer: string;
  readonly is: 'left out' | 'added' | 'changed';
}

/** The changes of a tool that the limits of one kind of provider require. */
export interface ToolConversion {
  readonly kind: HttpKind;
  /** Parameters that the provider cannot tell apart, so that it would refuse the tool. */
  readonly refused: readonly string[];
  /** Parameters that are sent under another name. */
  readonly renamed: readonly (readonly [name: string, wire: string])[];
  readonly changes: readonly SchemaChange[];
  /** Whether the description says what the schema no longer does. */
  readonly describes: boolean;
  /** Further changes, if the provider refuses the schema as it is sent at first. */
  readonly afterRefusal: readonly SchemaChange[];
  /** The definition in the provider's format; null if it is refused. */
  readonly definition: JsonObject | null;
}

/** The pieces of an answer that have arrived since the last ones. */
export interface AnswerPieces {
  /** Empty if nothing arrived for some seconds: the worker is alive, and enforces the provider's deadlines itself. */
  readonly parts: readonly ModelPart[];
  /** Null if more follows. */
  readonly end: { readonly error: SentError | null } | null;
}

/** The page chooses the ids. Expected failures cross as data, and end the answer of that id. */
export interface ModelWorker {
  /** Adds messages of a conversation that is too long for one message; `ask` carries the last ones. */
  take(id: number, messages: readonly ModelMessage[]): void;
  /**
   * Sends the request; resolves like `next`, with the first pieces. Null if the worker does not know the `start` of the
   * question: nothing was sent then, and the page asks again with all messages.
   */
  ask(id: number, question: AnswerQuestion): Promise<AnswerPieces | null>;
  /** Resolves with the next pieces, or with none after some seconds without any. */
  next(id: number): Promise<AnswerPieces>;
  /** Ends within {@link longestListMs}. */
  list(id: number, question: ModelQuestion): Promise<ListAnswer>;
  /** Converts a tool, which has its wire name here, for each kind of provider. */
  convertTool(tool: ToolDefinition): Promise<readonly ToolConversion[]>;
  /**
   * Ends a request, even if its answer has not ended.
   * @param options.keep whether the page may ask for its {@link exchanges}
   */
  close(id: number, options: { readonly keep: boolean }): void;
  /** What was sent and received for a closed request; empty if many have been kept since. */
  exchanges(id: number): readonly ModelExchange[];
  /** Ends a request for a list of models. */
  cancelList(id: number): void;
  /** In debug mode, sends a {@link MessageReport} about requests to providers and their answers over this port. */
  report(port: MessagePort): void;
}
