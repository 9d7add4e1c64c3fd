/** Types of a request to a model and of its answer, independent of the provider. */

import type { JsonObject, JsonText } from './json.ts';
import type { ArgumentFault } from './read-arguments.ts';

export type ProviderKind =
  | 'openai-responses'
  | 'openai-chat'
  | 'openai-compatible'
  | 'anthropic'
  | 'google'
  /** The browser's built-in model. */
  | 'browser'
  /** Plays recordings. */
  | 'replay'
  /** Code of an extension. */
  | 'extension';

/** Providers that are reached over HTTP. */
export type HttpKind = Exclude<ProviderKind, 'browser' | 'replay' | 'extension'>;

/** A model of a provider that the user has added. */
export interface ModelRef {
  readonly provider: string;
  /** The provider's id of the model. */
  readonly model: string;
}

/**
 * Data that only its provider can read, such as signatures of reasoning or ids of items. It is sent back unchanged, and
 * only to the model that made it.
 */
export interface Opaque {
  readonly made: ModelRef;
  readonly data: JsonObject;
}

/** Key in {@link Opaque.data} for data of the whole answer, whichever part it arrived with. */
export const ofAnswer = 'answer';

export type UserPart =
  /** `name` is set if it is the text of an attached file. */
  | { readonly type: 'text'; readonly text: string; readonly name?: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  /** A document that the provider reads; `data` is base64. */
  | {
      readonly type: 'file';
      readonly mediaType: 'application/pdf';
      readonly name: string;
      readonly data: string;
    };

/** A call that a model asked for. */
export interface AskedCall {
  readonly type: 'call';
  /** Unique id of the resulting {@link ToolCall}. */
  readonly id: string;
  /** The model's id of the call, which the answer to it must contain. */
  readonly askedId: string;
  /** The name that the model used: a wire name, or an unknown one. */
  readonly wire: string;
  /** Id of the tool; empty if the name is unknown. */
  readonly tool: string;
  /** The arguments as JSON text, which may be invalid. */
  readonly arguments: JsonText;
  /** The fault of the arguments that the model wrote, if they could only mean these. */
  readonly argumentFault?: ArgumentFault;
  readonly opaque?: Opaque;
}

export type AssistantPart =
  | { readonly type: 'text'; readonly text: string; readonly opaque?: Opaque }
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque?: Opaque }
  | AskedCall;

/** The result of one call, as it is sent to the model. */
export interface ToolAnswer {
  readonly askedId: string;
  readonly wire: string;
  readonly isError: boolean;
  readonly parts: readonly UserPart[];
}

export type ModelMessage =
  | { readonly role: 'user'; readonly parts: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly parts: readonly AssistantPart[] }
  | { readonly role: 'tool'; readonly answers: readonly ToolAnswer[] };

/** A tool as it is described to a model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** Arguments that match the parameters. */
  readonly examples?: readonly JsonObject[];
  /** The schema of the result. */
  readonly returns?: JsonObject;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** Limit of the answer in tokens; absent means the provider's default. */
  readonly maxOutput?: number;
  /** Makes answers repeatable, where the provider supports that. */
  readonly seed?: number;
}

/** Counts of tokens; null if the provider does not report them. */
export interface Usage {
  /** Tokens of the request, including cached ones. */
  readonly input: number | null;
  /** Tokens of the request that were read from a cache. */
  readonly cached: number | null;
  /** Tokens of the answer, including reasoning. */
  readonly output: number | null;
  readonly reasoning: number | null;
  /** Tokens of the request that were written to a cache at a separate price; absent if there were none, or it is unknown. */
  readonly cacheWrites?: number | null;
}

/** Why an answer ended. */
export type Finish = 'stop' | 'calls' | 'length' | 'filtered' | 'other';

/** A streamed part of an answer. `id` distinguishes texts, reasoning and calls of the answer, which may overlap. */
export type ModelPart =
  | { readonly type: 'text' | 'reasoning'; readonly id: string; readonly delta: string }
  /** Part of a call that is being written; the complete `call` follows. */
  | {
      readonly type: 'call-delta';
      readonly id: string;
      readonly wire: string;
      readonly delta: string;
    }
  | {
      readonly type: 'call';
      /** The model's id; generated if the model gives none. */
      readonly id: string;
      readonly wire: string;
      readonly arguments: JsonText;
      readonly data?: JsonObject;
      /** Whether the server had left the call in the text. */
      readonly isInText?: true;
    }
  /** Says that the text with this id so far was reasoning. Later text with the same id is another part. */
  | { readonly type: 'was-reasoning'; readonly id: string }
  /** A text or a piece of reasoning is complete. */
  | { readonly type: 'part-ended'; readonly id: string; readonly data?: JsonObject }
  | { readonly type: 'ended'; readonly finish: Finish; readonly usage: Usage };

/** An HTTP request to a provider, and what it answered. Secrets are replaced, and long texts are cut. */
export interface ModelExchange {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null if there is none. */
  readonly body: string | null;
  /** Null if there was no response. */
  readonly status: number | null;
  /** The response as it arrived. */
  readonly received: string;
  /** Number of frames of the response that were not part of the answer, such as keep-alive frames. */
  readonly skipped: number;
  /** Whether a text was cut. */
  readonly cut: boolean;
  /** Milliseconds until the first data of the response; null if none arrived. */
  readonly firstMs: number | null;
  /** Milliseconds until its end. */
  readonly ms: number;
}

/**
 * Sends a request to a model, and streams its answer. The last part is `ended`.
 * @param onExchanges is called once, when the answer has ended or was aborted
 * @throws {ModelError} instead of `ended`; or the signal's reason if it aborted
 */
export type AskModel = (
  signal: AbortSignal,
  request: ModelRequest,
  onExchanges?: OnExchanges,
) => AsyncIterable<ModelPart>;

export type OnExchanges = (load: LoadExchanges) => void;

/**
 * Loads the HTTP requests that an answer took. Resolves to an empty list if they are no longer kept, and rejects if the
 * worker that kept them has died.
 */
export type LoadExchanges = () => Promise<readonly ModelExchange[]>;

export interface ModelInfo {
  readonly ref: ModelRef;
  /** Name that the user sees. */
  readonly label: string;
  /** Limit for a request and its answer together, in tokens; null if unknown. */
  readonly context: number | null;
  /** Whether the model accepts images; null if unknown. */
  readonly images: boolean | null;
  /** Whether the provider reads PDF documents in tool results; absent if unknown. */
  readonly documents?: true;
  /** False if the model cannot call tools; absent if it can. */
  readonly tools?: false;
  /** Null if unknown or free. */
  readonly price: Price | null;
}

/** An estimate for text and code; each provider counts differently. */
export const charsPerToken = 4;

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Prices of requests with more than `over` tokens. */
  readonly long?: {
    readonly over: number;
    readonly input: number;
    readonly cached: number;
    readonly output: number;
  };
  /** Set if neither the provider nor the user has said it: the company that publishes it, and when it was read. */
  readonly published?: { readonly by: string; readonly read: string };
}

/** A model in its provider's list. */
export type ListedModel = Omit<ModelInfo, 'ref'> & { readonly id: string };

/** Returns the text of a part, introduced by its name if it is an attached file. */
export function attachedText({ text, name }: Extract<UserPart, { type: 'text' }>): string {
  return name === undefined ? text : `Attached file ${name}:\n\n${text}`;
}

/** Returns the part without what only its own provider reads. */
export function omitOpaque({ opaque: _, ...part }: AssistantPart): AssistantPart {
  return part;
}
