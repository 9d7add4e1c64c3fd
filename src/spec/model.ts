/** One exchange with a model, whichever provider it is of: what is asked, and what streams back. */

import type { JsonObject, JsonText } from './json.ts';

export type ProviderKind =
  | 'openai-responses'
  | 'openai-chat'
  | 'openai-compatible'
  | 'anthropic'
  | 'google'
  /** The browser's own. */
  | 'browser'
  /** Plays recordings. */
  | 'replay';

/** Kinds that are asked over HTTP. */
export type HttpKind = Exclude<ProviderKind, 'browser' | 'replay'>;

/** A model of a provider that the person has added. */
export interface ModelRef {
  /** The provider's id here. */
  readonly provider: string;
  /** The model's id there. */
  readonly model: string;
}

/**
 * What only the provider that made it can read (signatures of reasoning, ids of items). Sent back unchanged, and to
 * the same model alone.
 */
export interface Opaque {
  readonly made: ModelRef;
  readonly data: JsonObject;
}

/** The member of that data which is the whole answer's, whatever part of it it came with. */
export const ofAnswer = 'answer';

export type UserPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` is base64. */
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string };

/** A call as a model asked for it. */
export interface AskedCall {
  readonly type: 'call';
  /** Ours, unique: that of the {@link ToolCall}. */
  readonly id: string;
  /** The model's own id of it, which its answer must carry. */
  readonly askedId: string;
  /** The name as the model said it: a wire name, or one that it made up. */
  readonly wire: string;
  /** What the wire name stands for; empty where it stands for nothing. */
  readonly tool: string;
  /** As the model wrote it; perhaps no JSON. */
  readonly arguments: JsonText;
  readonly opaque?: Opaque;
}

export type AssistantPart =
  | { readonly type: 'text'; readonly text: string; readonly opaque?: Opaque }
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque?: Opaque }
  | AskedCall;

/** The answer to one call, as a model is told it. */
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

/** A tool as a model is told of it. */
export interface ToolDefinition {
  /** The wire name. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** Most tokens to answer with; the provider's own where it is absent. */
  readonly maxOutput?: number;
}

/** Tokens; null where the provider did not say. */
export interface Usage {
  /** All of the request, cached ones included. */
  readonly input: number | null;
  /** Of those, read from a cache. */
  readonly cached: number | null;
  /** All of the answer, reasoning included. */
  readonly output: number | null;
  readonly reasoning: number | null;
  /** Of the request, what was written to a cache at a price of its own; absent where there was nothing, or nobody says. */
  readonly cacheWrites?: number | null;
}

/** Why an answer ended. */
export type Finish = 'stop' | 'calls' | 'length' | 'filtered' | 'other';

/** What streams back. `id` tells the parts of one answer apart, which may overlap. */
export type ModelPart =
  | { readonly type: 'text' | 'reasoning'; readonly id: string; readonly delta: string }
  /** A call is being written; `call` follows with all of it. */
  | {
      readonly type: 'call-delta';
      readonly id: string;
      readonly wire: string;
      readonly delta: string;
    }
  | {
      readonly type: 'call';
      /** The model's own; made up where it gives none. */
      readonly id: string;
      readonly wire: string;
      readonly arguments: JsonText;
      readonly data?: JsonObject;
    }
  /** A text or a piece of reasoning is complete. */
  | { readonly type: 'part-ended'; readonly id: string; readonly data?: JsonObject }
  | { readonly type: 'ended'; readonly finish: Finish; readonly usage: Usage };

/**
 * Asks a model. The last part is `ended`.
 * @throws {ModelError} in place of it; the signal's reason where that aborted
 */
export type AskModel = (signal: AbortSignal, request: ModelRequest) => AsyncIterable<ModelPart>;

export interface ModelInfo {
  readonly ref: ModelRef;
  /** For people. */
  readonly label: string;
  /** Tokens that a request and its answer may have together; null where unknown. */
  readonly context: number | null;
  /** Null where nobody says. */
  readonly images: boolean | null;
  /** It cannot call tools. */
  readonly tools?: false;
  /** US dollars for a million tokens; null where unknown or free. */
  readonly price: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
  } | null;
}

/** A model as its provider lists it. */
export type ListedModel = Omit<ModelInfo, 'ref'> & { readonly id: string };
