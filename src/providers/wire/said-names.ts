/**
 * Names of calls as the model said them. SDKs look them up in plain objects, and answer `constructor` with what every
 * object has of that name.
 */

import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';

export function withSaidName(part: LanguageModelV3StreamPart): LanguageModelV3StreamPart {
  if (!('toolName' in part)) return part;
  const found: unknown = part.toolName;
  return typeof found === 'string' ? part : { ...part, toolName: nameOf(found) };
}

function nameOf(found: unknown): string {
  const names = Object.getOwnPropertyNames(Object.prototype);
  return names.find((name) => Reflect.get({}, name) === found) ?? '';
}
