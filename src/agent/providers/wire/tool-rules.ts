/**
 * The limits of each kind of provider for tools, separate from the adapters so that they are known
 * without the SDKs.
 */

import type { HttpKind } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { forAnthropic, forCompatible, forGoogle, forOpenAI } from './tool-schemas.ts';

export interface ToolRules extends Pick<Adapter, 'tellTool' | 'limitsProperties' | 'maxTools'> {
  /** How schemas are sent after the provider has refused them. */
  readonly afterRefusal?: RequestAdjustment;
}

export const toolRules = {
  'openai-chat': { maxTools: 128, tellTool: forOpenAI },
  'openai-responses': { maxTools: 128, tellTool: forOpenAI },
  anthropic: { tellTool: forAnthropic, limitsProperties: true },
  google: { tellTool: forGoogle, afterRefusal: 'shallow-schemas' },
  'openai-compatible': { tellTool: forCompatible, afterRefusal: 'plain-schemas' },
} as const satisfies Readonly<Record<HttpKind, ToolRules>>;
