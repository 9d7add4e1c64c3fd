/**
 * What is different from provider to provider; each has one file, loaded when it is first asked.
 */

import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider';
import type { ProviderAccess } from '../../protocol/models.ts';
import type { JsonObject, JsonText } from '../../spec/json.ts';
import type { ModelPart, ModelRequest, ToolDefinition } from '../../spec/model.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import type { PromptTraits } from './to-prompt.ts';
import type { TellTool } from './tool-schemas.ts';

export type SdkFetch = typeof fetch;

export interface Adapter {
  readonly prompt: PromptTraits;
  /** @param fetch sends what the SDK has made */
  open(access: ProviderAccess, model: string, fetch: SdkFetch): LanguageModelV3;
  /** Whether it takes few names of parameters; those that it refuses are mapped, and mapped back. */
  readonly limitsProperties?: true;
  /** Most tools of one request, where it is known that more are refused. */
  readonly mostTools?: number;
  readonly tellTool: TellTool;
  /** What one request needs besides. */
  prepare?(asking: Asking): Prepared;
  /** What a refusal can be met with. @param told all that the provider said */
  readonly adjustmentFor?: (reported: string) => RequestAdjustment | undefined;
}

export interface Asking {
  readonly access: ProviderAccess;
  readonly model: string;
  /** With its tools as the provider is told of them. */
  readonly request: ModelRequest;
  readonly adjusted: ReadonlySet<RequestAdjustment>;
}

export interface Prepared {
  readonly providerOptions?: SharedV3ProviderOptions;
  /** In place of the adapter's. */
  readonly prompt?: PromptTraits;
  /** In place of the request's. */
  readonly tools?: readonly ToolDefinition[];
  /** Told of each tool where silence would mean true. */
  readonly strict?: false;
  /** The arguments of an earlier call, as the provider knows them. */
  readonly toWire?: (tool: string, text: JsonText) => JsonText;
  /** Undoes that, and what `readLine` has done, in the arguments of a new one; a part of them is left as it is. */
  readonly restore?: (tool: string, text: JsonText) => JsonText;
  /** Changes the body that the SDK has made. */
  readonly edit?: (body: JsonObject) => JsonObject;
  /** Sees, and may change, each line of the answer before the SDK does. */
  readonly readLine?: (line: string) => string;
  /** Whether what is written to a cache costs more than what is not. */
  readonly chargesCacheWrites?: true;
  /** Sees, and may change, the parts of the answer. */
  readonly readParts?: (parts: AsyncIterable<ModelPart>) => AsyncIterable<ModelPart>;
  /** What is kept of reasoning besides what the SDK says. */
  readonly reasoningData?: () => JsonObject;
}
