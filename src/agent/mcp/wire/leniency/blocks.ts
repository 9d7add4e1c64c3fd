/** Reads content blocks that break the specification. Unknown blocks are shown as the text of their JSON. */

import { isSpecType } from '@modelcontextprotocol/client';
import { isObject, type Fields } from '../../../../runtime/spec/guards.ts';
import { mapSame } from '../../../../runtime/spec/map-same.ts';
import { isList, isMissing, isText, shown, textOf, without, type Note } from './reading.ts';

/** Limit of a block that is shown as JSON; characters. */
const maxJson = 50_000;

/**
 * @param where the place of the list in the result
 * @returns the list itself if all its blocks are valid
 */
export function readBlocks(content: unknown, where: string, noted: Note): readonly unknown[] {
  if (isList(content)) return mapSame(content, (block) => readBlock(block, where, noted));
  if (content === undefined || content === null) {
    noted(`${where} is ${content === null ? 'null' : 'missing'}: read as an empty list.`);
    return [];
  }
  noted(`${where} is ${isObject(content) ? 'one block' : `a ${typeof content}`}, not a list.`);
  // A string is not noted a second time, as a block.
  return [isObject(content) ? readBlock(content, where, noted) : textBlock(textOf(content))];
}

function readBlock(block: unknown, where: string, noted: Note): unknown {
  if (isSpecType.ContentBlock(block)) return block;
  if (!isObject(block)) {
    noted(`${where} has a ${block === null ? 'null' : typeof block} in place of a block.`);
    return textBlock(textOf(block).slice(0, maxJson));
  }
  for (const read of readings(block)) {
    if (!isSpecType.ContentBlock(read)) continue;
    noted(`${where} has a block of the type “${shown(block.type ?? '', 40)}” that is not valid.`);
    return read;
  }
  noted(
    `${where} has a block of the type “${shown(block.type ?? '', 40)}” that is not known or not valid: shown as JSON.`,
  );
  return textBlock(textOf(block).slice(0, maxJson));
}

/** Yields what a block may have been meant as, the most likely first. */
function* readings(block: Fields): Generator<Fields> {
  // Annotations and metadata are for display only.
  const plain = without(without(block, 'annotations'), '_meta');
  const bare = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== null));
  yield bare;
  const { type, text, data, mimeType, uri, resource } = bare;
  if (isText(text) && !isText(data) && (type === 'text' || isMissing(type) || type === 'string'))
    yield textBlock(text);
  if ((type === 'image' || type === 'audio') && isText(data)) {
    const [, given, base64 = data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(data) ?? [];
    const known = isText(mimeType) ? mimeType : given;
    yield {
      type,
      data: base64.replaceAll('-', '+').replaceAll('_', '/'),
      mimeType: known === undefined || known === '' ? 'application/octet-stream' : known,
    };
  }
  if (type === 'resource_link' && isText(uri)) yield { type, uri, name: uri };
  if (type === 'resource' && isObject(resource)) {
    const { uri: own, text: words, blob, mimeType: kind } = resource;
    const about = { uri: isText(own) ? own : '', ...(isText(kind) && { mimeType: kind }) };
    if (isText(words)) yield { type, resource: { ...about, text: words } };
    if (isText(blob)) yield { type, resource: { ...about, blob } };
  }
}

function textBlock(text: string): Fields {
  return { type: 'text', text };
}
