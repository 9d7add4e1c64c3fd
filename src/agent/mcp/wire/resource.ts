/** The content of a resource of a server, checked and bounded. */

import type { ResourceContent } from '../../../runtime/protocol/mcp.ts';
import { asFields, isRecord } from '../../../runtime/spec/guards.ts';
import { asText } from '../../../runtime/spec/lenient.ts';
import { McpError } from './mcp-error.ts';

const maxParts = 20;
/** Limits of all texts of a resource, and of what it says about itself; characters. */
const maxChars = 5_000_000;
const maxMeta = 20_000;

/** @param read the result of `resources/read` @throws {McpError} */
export function resourceContents(read: unknown): readonly ResourceContent[] {
  const { contents } = asFields(read);
  if (!Array.isArray(contents) || contents.length > maxParts)
    throw new McpError('protocol', `resources/read has no list of at most ${maxParts} contents.`);
  const parts = contents.filter(isRecord).map(({ uri, mimeType, text, blob, _meta }) => ({
    uri: asText(uri),
    mimeType: asText(mimeType),
    text: asText(text),
    blob: asText(blob),
    meta: JSON.stringify(_meta ?? {}),
  }));
  const chars = parts.reduce(
    (sum, { uri, mimeType, text, blob }) =>
      sum + uri.length + mimeType.length + text.length + blob.length,
    0,
  );
  // @mutant the resources of a server are bounded => never
  if (chars > maxChars || parts.some(({ meta }) => meta.length > maxMeta))
    throw new McpError(
      'limit',
      `The resource has more than ${maxChars} characters, or more than ${maxMeta} in a _meta.`,
    );
  return parts;
}
