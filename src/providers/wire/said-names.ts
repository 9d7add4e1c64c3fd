/**
 * Restores tool names as the model wrote them. The SDKs look names up in plain objects, so that a name such as
 * `constructor` becomes an inherited member.
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
