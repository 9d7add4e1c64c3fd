/** Reads content blocks that break the specification. Unknown blocks are shown as the text of their JSON. */

import { isSpecType } from '@modelcontextprotocol/client';
import { isObject, type Fields } from '../../../../runtime/spec/guards.ts';
import { mapSame } from '../../../../runtime/spec/map-same.ts';
import { isList, isMissing, isText, showValue, textOf, omitMember, type Note } from './reading.ts';

/** Limit of a block that is shown as JSON; characters. */
const maxJson = 50_000;

/**
 * @param where the place of the list in the result
 * @returns the list itself if all its blocks are valid
 */
export function readBlocks(content: unknown, where: string, noteBreach: Note): readonly unknown[] {
  if (isList(content)) return mapSame(content, (block) => readBlock(block, where, noteBreach));
  if (content === undefined || content === null) {
    noteBreach(`${where} is ${content === null ? 'null' : 'missing'}: read as an empty list.`);
    return [];
  }
  noteBreach(`${where} is ${isObject(content) ? 'one block' : `a ${typeof content}`}, not a list.`);
  // A string is not noted a second time, as a block.
  return [isObject(content) ? readBlock(content, where, noteBreach) : textBlock(textOf(content))];
}

function readBlock(block: unknown, where: string, noteBreach: Note): unknown {
  if (isSpecType.ContentBlock(block)) return block;
  if (!isObject(block)) {
    noteBreach(`${where} has a ${block === null ? 'null' : typeof block} in place of a block.`);
    return textBlock(textOf(block).slice(0, maxJson));
  }
  const typeText = showValue(block.type ?? '', 40);
  for (const reading of readings(block)) {
    if (!isSpecType.ContentBlock(reading)) continue;
    noteBreach(`${where} has a block of the type “${typeText}” that is not valid.`);
    return reading;
  }
  noteBreach(
    `${where} has a block of the type “${typeText}” that is not known or not valid: shown as JSON.`,
  );
  return textBlock(textOf(block).slice(0, maxJson));
}

/** Yields what a block may have been meant as, the most likely first. */
function* readings(block: Fields): Generator<Fields> {
  // Annotations and metadata are for display only.
  const plain = omitMember(omitMember(block, 'annotations'), '_meta');
  const withoutNulls = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== null),
  );
  yield withoutNulls;
  const { type, text, data, mimeType, uri, resource } = withoutNulls;
  if (isText(text) && !isText(data) && (type === 'text' || isMissing(type) || type === 'string'))
    yield textBlock(text);
  if ((type === 'image' || type === 'audio') && isText(data))
    yield mediaBlock(type, data, mimeType);
  if (type === 'resource_link' && isText(uri)) yield { type, uri, name: uri };
  if (type === 'resource' && isObject(resource)) {
    const address = isText(resource.uri) ? resource.uri : '';
    const mediaType = isText(resource.mimeType) ? { mimeType: resource.mimeType } : {};
    const about = { uri: address, ...mediaType };
    if (isText(resource.text)) yield { type, resource: { ...about, text: resource.text } };
    if (isText(resource.blob)) yield { type, resource: { ...about, blob: resource.blob } };
  }
}

/** A picture or sound whose data may be a data URL, and base64 in the alphabet for URLs. */
function mediaBlock(type: string, data: string, mimeType: unknown): Fields {
  const [, urlMimeType = '', base64 = data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(data) ?? [];
  const known = isText(mimeType) ? mimeType : urlMimeType;
  return {
    type,
    data: base64.replaceAll('-', '+').replaceAll('_', '/'),
    mimeType: known === '' ? 'application/octet-stream' : known,
  };
}

function textBlock(text: string): Fields {
  return { type: 'text', text };
}
