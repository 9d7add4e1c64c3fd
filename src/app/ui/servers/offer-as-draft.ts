/** Converts resources and prompts of a server to parts of a message. */

import { fromBase64 } from '../../../runtime/spec/bytes.ts';
import type { PromptMessage } from '../../../runtime/protocol/mcp.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import type { ContentPart } from '../../../runtime/spec/result.ts';

/** Returns the parts as files that are named after a resource. @throws {ToolError} if the data of a file is not base64 */
export function filesOf(parts: readonly ContentPart[], name: string): readonly File[] {
  const last = name.split('/').at(-1)?.trim() ?? '';
  const base = last === '' ? 'resource' : last;
  return parts.map((part) => {
    if (part.type === 'json') return new File([part.text], ending(base, 'json'));
    if ('text' in part) return new File([part.text], ending(base, 'txt'), { type: 'text/plain' });
    const { mediaType, data } = part;
    const bytes = fromBase64(data);
    if (bytes === null)
      throw new ToolError('protocol', `The server sent “${base.slice(0, 100)}” with damaged data.`);
    return new File([bytes], base, { type: mediaType });
  });
}

/** The messages of a prompt as one text, and their parts that are not text. */
export function draftOf(messages: readonly PromptMessage[]): {
  readonly text: string;
  readonly others: readonly ContentPart[];
} {
  const texts: string[] = [];
  const others: ContentPart[] = [];
  for (const { role, part } of messages)
    if ('text' in part) texts.push(role === 'user' ? part.text : `Assistant: ${part.text}`);
    else others.push(part);
  return { text: texts.join('\n\n'), others };
}

/** The parts as text; of parts that are not text, the media type. */
export function showAsText(parts: readonly ContentPart[]): string {
  return parts.map((part) => ('text' in part ? part.text : `[${part.mediaType}]`)).join('\n\n');
}

function ending(name: string, type: string): string {
  return /\.[A-Za-z0-9]{1,8}$/.test(name) ? name : `${name}.${type}`;
}
