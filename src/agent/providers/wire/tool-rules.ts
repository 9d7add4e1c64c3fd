/**
 * The limits of each kind of provider for tools, separate from the adapters so that they are known
 * without the SDKs.
 */

import type { Provider } from '../../../runtime/registry/provider-definitions.ts';
import type { HttpKind } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { forAnthropic, forCompatible, forGoogle, forOpenAI } from './tool-schemas.ts';

export interface ToolRules extends Pick<Adapter, 'convertTool' | 'limitsProperties' | 'maxTools'> {
  /** The adjustment of schemas after the provider has refused them. */
  readonly afterRefusal?: RequestAdjustment;
  /** The format of its definitions. */
  readonly format: Exclude<Provider, 'mcp'>;
}

export const toolRules = {
  'openai-chat': { format: 'openai-chat', maxTools: 128, convertTool: forOpenAI },
  'openai-responses': { format: 'openai-responses', maxTools: 128, convertTool: forOpenAI },
  anthropic: { format: 'anthropic', convertTool: forAnthropic, limitsProperties: true },
  google: { format: 'gemini', convertTool: forGoogle, afterRefusal: 'shallow-schemas' },
  'openai-compatible': {
    format: 'openai-chat',
    convertTool: forCompatible,
    afterRefusal: 'plain-schemas',
  },
} as const satisfies Readonly<Record<HttpKind, ToolRules>>;
