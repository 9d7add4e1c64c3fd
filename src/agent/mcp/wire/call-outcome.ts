/** Maps results of MCP to results of calls. */

import type { McpOutcome, PromptMessage } from '../../../runtime/protocol/mcp.ts';
import { deeperThan, type JsonText } from '../../../runtime/spec/json.ts';
import { asObject, asFields, isRecord } from '../../../runtime/spec/guards.ts';
import type { ContentPart } from '../../../runtime/spec/result.ts';
import { exactNumberReviver } from './exact-numbers.ts';

const maxParts = 1_000;
/** Limit of the metadata of a result; characters. */
const maxMetadata = 1_000_000;
const maxMetadataDepth = 100;
/** Limits of the name and the address of a linked resource, in characters. */
const maxLinkName = 200;
const maxLinkAddress = 8_000;

export function outcomeOf(result: unknown): McpOutcome {
  const {
    content,
    structuredContent,
    isError,
    _meta,
    resultType: _type,
    ...others
  } = asFields(result);
  const blocks: unknown[] = Array.isArray(content) ? content : [];
  const parts: ContentPart[] = blocks.slice(0, maxParts).map(partOf);
  // Some servers write null for a member that they leave out.
  const isLeftOut = structuredContent === null && parts.some((part) => !repeats(part, 'null'));
  const structured =
    structuredContent === undefined || isLeftOut ? null : JSON.stringify(structuredContent);
  // Servers repeat structured content as text, for clients that do not know it.
  const all = parts.filter((part) => structured === null || !repeats(part, structured));
  const more = blocks.length - maxParts;
  if (more > 0) all.push({ type: 'text', text: `${more} more parts were left out.` });
  if (structured !== null) all.unshift({ type: 'json', text: structured });
  // Some servers return the value itself in place of contents.
  if (all.length === 0 && Object.keys(others).length > 0)
    all.push({ type: 'json', text: JSON.stringify(others) });
  if (isError === true && all.every((part) => textOf(part).trim() === ''))
    all.push({
      type: 'text',
      text: 'The server reported an error, but did not say what went wrong.',
    });
  return {
    content: all,
    textResultForLlm: all.map(textOf).join('\n'),
    isError: isError === true,
    isStructured: structured !== null,
    metadata: metadataOf(_meta),
  };
}

/** Returns the metadata that the server adds to a result for its app. Models do not get it. */
function metadataOf(meta: unknown): JsonText {
  const own = Object.entries(asObject(meta)).filter(([name]) => !name.startsWith(ofProtocol));
  const kept = Object.fromEntries(own);
  if (deeperThan(kept, maxMetadataDepth))
    return JSON.stringify({ leftOut: `It is nested more than ${maxMetadataDepth} levels deep.` });
  const text = JSON.stringify(kept);
  // @mutant the metadata of a server's result is bounded => never [src/agent/mcp/server-apps.test.ts]
  if (text.length <= maxMetadata) return text;
  return JSON.stringify({ leftOut: `${text.length} characters are more than ${maxMetadata}.` });
}

/** The prefix of names whose values are for the client. */
const ofProtocol = 'io.modelcontextprotocol/';

/** The contents of a resource. */
export function contentsOf(result: unknown): readonly ContentPart[] {
  const { contents } = asFields(result);
  const all: unknown[] = Array.isArray(contents) ? contents : [];
  return all.slice(0, maxParts).map((resource) => partOf({ type: 'resource', resource }));
}

/** The messages of a prompt. */
export function messagesOf(result: unknown): readonly PromptMessage[] {
  const { messages } = asFields(result);
  const all: unknown[] = Array.isArray(messages) ? messages : [];
  return all.slice(0, maxParts).map((message) => {
    const { role, content } = asFields(message);
    return { role: role === 'assistant' ? 'assistant' : 'user', part: partOf(content) };
  });
}

function repeats(part: ContentPart, structured: string): boolean {
  if (part.type !== 'text') return false;
  try {
    return JSON.stringify(JSON.parse(part.text, exactNumberReviver)) === structured;
  } catch {
    return false;
  }
}

function partOf(block: unknown): ContentPart {
  const { type, text, data, mimeType, resource, uri, name } = asFields(block);
  if (type === 'text' && typeof text === 'string') return { type: 'text', text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string')
    return bytesOf(data, mimeType);
  if (type === 'resource_link' && typeof uri === 'string') {
    const address = shortened(uri, maxLinkAddress);
    const text = typeof name === 'string' ? `${shortened(name, maxLinkName)}: ${address}` : address;
    return { type: 'text', text };
  }
  if (type === 'resource' && isRecord(resource)) {
    if (typeof resource.blob === 'string') return bytesOf(resource.blob, resource.mimeType);
    if (typeof resource.text === 'string') return textPart(resource.text, resource.mimeType);
  }
  return { type: 'json', text: JSON.stringify(block ?? null) };
}

/** Shortens a text, since some servers write a whole file into the address of a link. */
function shortened(text: string, max: number): string {
  // @mutant links in the results of a server are bounded => text.length > max -> false
  return text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text;
}

function textPart(text: string, mimeType: unknown): ContentPart {
  const known = mimeType === 'text/markdown' || mimeType === 'text/html' ? mimeType : null;
  return { type: 'text', text, ...(known !== null && { mediaType: known }) };
}

function bytesOf(data: string, mimeType: unknown): ContentPart {
  const mediaType =
    typeof mimeType === 'string' && /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(mimeType)
      ? mimeType
      : 'application/octet-stream';
  return { type: mediaType.startsWith('image/') ? 'image' : 'binary', mediaType, data };
}

function textOf(part: ContentPart): string {
  return 'text' in part ? part.text : `[${part.mediaType}]`;
}
