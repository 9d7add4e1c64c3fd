/**
 * The interface of a provider adapter, which covers what differs between providers. Each adapter is one file, loaded at
 * its first use.
 */

import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import type { JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import type { ModelPart, ModelRequest, ToolDefinition } from '../../../runtime/spec/model.ts';
import type { AnswerFrames } from './frames.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import type { PromptTraits } from './to-prompt.ts';
import type { ConvertTool } from './tool-schemas.ts';

export type SdkFetch = typeof fetch;

export interface Adapter {
  /** What the provider's API accepts in a prompt. */
  readonly prompt: PromptTraits;
  /** @param fetch sends the requests that the SDK builds */
  open(access: ProviderAccess, model: string, fetch: SdkFetch): LanguageModelV3;
  /**
   * Whether the provider restricts parameter names. Refused names are then mapped, and mapped back
   * in answers.
   */
  readonly limitsProperties?: true;
  /** Whether servers of this kind may leave calls in the text of an answer. */
  readonly mayLeaveCalls?: true;
  /** The maximum number of tools in one request, if known. */
  readonly maxTools?: number;
  /** Converts a tool definition to what the provider accepts. */
  readonly convertTool: ConvertTool;
  /** Adjustments that a server at this address needs from the start. */
  readonly adjustmentsAt?: (access: ProviderAccess) => readonly RequestAdjustment[];
  /** Prepares one request. It is called again if the request is sent again with adjustments. */
  prepare(asking: AdapterRequest): PreparedRequest;
  /**
   * Returns the adjustment that may fix a refused request.
   *
   * @param reported the provider's whole error message
   */
  readonly adjustmentFor?: (reported: string) => RequestAdjustment | undefined;
}

export interface AdapterRequest {
  readonly access: ProviderAccess;
  readonly model: string;
  /** The request, with tools in the form that the provider accepts. */
  readonly request: ModelRequest;
  /** Changes that earlier refusals, or `adjustmentsAt`, have asked for. */
  readonly adjusted: ReadonlySet<RequestAdjustment>;
}

/**
 * What an adapter does with one request and its answer. After the fields for the SDK come the hooks, in the order in which
 * they run: `toWire`; the SDK builds the body; `edit`; the server answers; `asStream` if that is no stream; `joinLines`;
 * `frames`; the SDK reads the frames; `restore` and `reasoningData`; `readParts`.
 */
export interface PreparedRequest {
  readonly providerOptions?: SharedV3ProviderOptions;
  /** Replaces the adapter's `prompt`. */
  readonly prompt?: PromptTraits;
  /** Replaces the request's tools. */
  readonly tools?: readonly ToolDefinition[];
  /** Sent with each tool, for APIs whose default is true. */
  readonly strict?: false;
  /** Whether the provider charges extra for writing to its cache. */
  readonly chargesCacheWrites?: true;
  /** Converts the arguments of an earlier call to the form sent to the provider. */
  readonly toWire?: (tool: string, text: JsonText) => JsonText;
  /** Changes the body that the SDK has built. */
  readonly edit?: (body: JsonObject) => JsonObject;
  /** Turns an answer that was sent as a whole into a stream; null if it is not an answer. */
  readonly asStream?: (body: string) => string | null;
  /** Receives the lines of the answer that arrived together, before `frames`, and returns their replacements. */
  readonly joinLines?: (lines: readonly string[]) => readonly string[];
  /** Receives the frames of the answer before the SDK does, which gets what this returns. */
  readonly frames: AnswerFrames;
  /**
   * Reverses, in the arguments of a new call, what `toWire` does, and the marks that `frames` puts in place of numbers
   * that the SDK would round. Incomplete JSON is returned unchanged.
   */
  readonly restore?: (tool: string, text: JsonText) => JsonText;
  /** Returns data to store with reasoning, in addition to the SDK's. */
  readonly reasoningData?: () => JsonObject;
  /** Receives the parts of the answer, and returns the parts to use. */
  readonly readParts?: (parts: AsyncIterable<ModelPart>) => AsyncIterable<ModelPart>;
}
