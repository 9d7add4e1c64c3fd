/** Reads results that break the schema of MCP, where only one reading is possible. */

import { isSpecType } from '@modelcontextprotocol/client';
import { deeperThan } from '../../../../runtime/spec/json.ts';
import {
  asFields,
  isCount,
  isObject,
  isStrings,
  type Fields,
} from '../../../../runtime/spec/guards.ts';
import { mapSame } from '../../../../runtime/spec/map-same.ts';
import { readBlocks } from './blocks.ts';
import { itemsOf, readItems } from './items.ts';
import {
  isList,
  isMissing,
  isText,
  showValue,
  textOf,
  Unreadable,
  omitMember,
  type Note,
  type PendingRequest,
} from './reading.ts';

/** The first revision with Streamable HTTP, which servers must also assume if a client names none. */
const assumedRevision = '2025-03-26';
const maxDepth = 100;
/** The client accepts no more suggestions. */
const maxSuggestions = 100;

/** A member for the items of a list, which itself is left empty: the client refuses a whole list for one item that is not valid. */
export const uncheckedItems = 'cloche/items';

/** The member that has the list, by method. */
const listMembers: ReadonlyMap<string, string> = new Map([
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
]);
const cached: ReadonlySet<string> = new Set([...listMembers.keys(), 'resources/read']);
/** Members that the result of any method may have. */
const commonMembers = new Set(['_meta', 'nextCursor', 'ttlMs', 'cacheScope', 'resultType']);
const trueWords: readonly unknown[] = [true, 'true', 'True', 1, '1'];
const falseWords: readonly unknown[] = [false, 'false', 'False', 0, '0', '', null];

/**
 * @returns the result itself if it is valid
 * @throws {Unreadable}
 */
export function readResult(request: PendingRequest, result: unknown, note: Note): unknown {
  const { method, isModern } = request;
  const noteBreach: Note = (problem) => note(`${method}: ${problem}`);
  const object = withMeta(resultObject(method, result, noteBreach), noteBreach);
  const member = listMembers.get(method);
  // The notes about a list name the method themselves.
  const read =
    member === undefined
      ? readByMethod(request, object, noteBreach)
      : listResult(method, member, object, isModern, note);
  return isModern ? addRequiredMembers(method, read, noteBreach) : read;
}

function readByMethod(request: PendingRequest, result: Fields, noteBreach: Note): Fields {
  const { method, isModern } = request;
  switch (method) {
    case 'initialize':
      return initializeResult(result, noteBreach);
    case 'server/discover':
      return discoverResult(result, noteBreach);
    case 'tools/call':
      return callResult(result, isModern, noteBreach);
    case 'prompts/get':
      return promptResult(result, noteBreach);
    case 'resources/read':
      return resourceResult(result, request.params.uri, noteBreach);
    case 'completion/complete':
      return completionResult(result, noteBreach);
    default:
      return result;
  }
}

function resultObject(method: string, result: unknown, noteBreach: Note): Fields {
  if (isObject(result)) return result;
  const member = listMembers.get(method);
  if (member !== undefined && Array.isArray(result)) {
    noteBreach(`the result is the list itself, not an object with ${member}.`);
    return { [member]: result };
  }
  if (method === 'tools/call') {
    noteBreach('the result is not an object with content.');
    const isBlocks = Array.isArray(result) && result.every((one) => isText(asFields(one).type));
    if (isBlocks) return { content: result };
    return { content: isMissing(result) ? [] : [{ type: 'text', text: textOf(result) }] };
  }
  if (isMissing(result)) {
    noteBreach('the result is missing or empty.');
    return {};
  }
  throw new Unreadable('sent a result that is not an object in answer to');
}

function withMeta(result: Fields, noteBreach: Note): Fields {
  const { _meta } = result;
  if (!('_meta' in result) || isSpecType.RequestMeta(_meta)) return result;
  if (!isObject(_meta)) {
    noteBreach('_meta is not an object.');
    return omitMember(result, '_meta');
  }
  noteBreach('_meta has members that are not valid.');
  const valid = Object.entries(_meta).filter(([name, value]) =>
    isSpecType.RequestMeta({ [name]: value }),
  );
  return { ...result, _meta: Object.fromEntries(valid) };
}

/** Adds what results of the latest revision must have. A result that does not say how long it may be cached is not cached. */
function addRequiredMembers(method: string, result: Fields, noteBreach: Note): Fields {
  let read = result;
  const isDiscover = method === 'server/discover';
  // A server of the other era may answer any request with a result, which says nothing about revisions.
  if (isDiscover && !isStrings(result.supportedVersions)) return result;
  if (!isText(result.resultType)) {
    noteBreach('resultType is missing.');
    const isAsking = 'inputRequests' in result || 'requestState' in result;
    read = { ...read, resultType: isAsking ? 'input_required' : 'complete' };
  }
  if (!cached.has(method) || read.resultType !== 'complete') return read;
  if (isCount(read.ttlMs) && (read.cacheScope === 'public' || read.cacheScope === 'private'))
    return read;
  noteBreach('ttlMs or cacheScope is missing or not valid.');
  return { ...read, ttlMs: 0, cacheScope: 'private' };
}

function initializeResult(result: Fields, noteBreach: Note): Fields {
  let read = result;
  if (!isText(result.protocolVersion)) {
    noteBreach(`protocolVersion is missing: read as ${assumedRevision}.`);
    read = { ...read, protocolVersion: assumedRevision };
  }
  const capabilities = capabilitiesOf(result.capabilities, noteBreach);
  const serverInfo = implementationOf(result.serverInfo, noteBreach);
  if (capabilities !== result.capabilities || serverInfo !== result.serverInfo)
    read = { ...read, capabilities, serverInfo };
  return withInstructions(read, noteBreach);
}

function discoverResult(result: Fields, noteBreach: Note): Fields {
  const { supportedVersions: versions } = result;
  if (!isText(versions) && !isStrings(versions)) return result;
  let read = result;
  if (isText(versions)) {
    noteBreach('supportedVersions is not a list.');
    read = { ...read, supportedVersions: [versions] };
  }
  const capabilities = capabilitiesOf(result.capabilities, noteBreach);
  if (capabilities !== result.capabilities) read = { ...read, capabilities };
  return withInstructions(read, noteBreach);
}

function withInstructions(result: Fields, noteBreach: Note): Fields {
  if (result.instructions === undefined || isText(result.instructions)) return result;
  noteBreach('instructions is not a string.');
  return omitMember(result, 'instructions');
}

function capabilitiesOf(given: unknown, noteBreach: Note): unknown {
  if (isSpecType.ServerCapabilities(given)) return given;
  if (isMissing(given)) {
    noteBreach('capabilities is missing: read as none, and the tools are listed nevertheless.');
    return {};
  }
  const entries = isStrings(given)
    ? given.map((name): [string, unknown] => [name, {}])
    : Object.entries(asFields(given));
  if (!isObject(given)) noteBreach('capabilities is not an object.');
  const read = entries.flatMap(([name, value]): [string, unknown][] => {
    if (isSpecType.ServerCapabilities({ [name]: value })) return [[name, value]];
    noteBreach(`capabilities.${name.slice(0, 40)} is not valid.`);
    return value === null || value === false ? [] : [[name, {}]];
  });
  return Object.fromEntries(read);
}

function implementationOf(given: unknown, noteBreach: Note): unknown {
  if (isSpecType.Implementation(given)) return given;
  const { name, version, ...others } = isObject(given) ? given : {};
  if (isMissing(given)) noteBreach('serverInfo is missing.');
  else noteBreach('serverInfo is not a valid Implementation.');
  const read = {
    name: isText(given) ? given : isMissing(name) ? '' : showValue(name),
    version: isMissing(version) ? '' : showValue(version),
  };
  const valid = Object.entries(others).filter(([member, value]) =>
    isSpecType.Implementation({ ...read, [member]: value }),
  );
  return { ...Object.fromEntries(valid), ...read };
}

function callResult(result: Fields, isModern: boolean, noteBreach: Note): Fields {
  const { toolResult } = result;
  if (result.content === undefined && isObject(toolResult) && Array.isArray(toolResult.content)) {
    noteBreach('the result is in toolResult, as in revisions of 2024.');
    return callResult(toolResult, isModern, noteBreach);
  }
  // These members mark another kind of result.
  if ('task' in result || 'inputRequests' in result || 'requestState' in result) return result;
  let read = result;
  const content = readBlocks(result.content, 'content', noteBreach);
  if (content !== result.content) read = { ...read, content };
  if (!('isError' in result) && trueWords.includes(result.is_error)) {
    // An error must not look like a success.
    noteBreach('is_error is read as isError.');
    read = { ...read, isError: true };
  }
  if ('isError' in result && typeof result.isError !== 'boolean') {
    const isError = trueWords.includes(result.isError);
    if (!isError && !falseWords.includes(result.isError))
      throw new Unreadable('sent an isError that is neither true nor false in answer to');
    noteBreach(
      `isError is ${showValue(result.isError, 40) || 'empty'}, not a boolean: read as ${isError}.`,
    );
    read = { ...read, isError };
  }
  if (isModern || !('structuredContent' in result) || isObject(result.structuredContent))
    return read;
  noteBreach('structuredContent is not an object, which it must be in revisions of 2025.');
  // The value is shown nevertheless: ExactContents has it.
  return omitMember(read, 'structuredContent');
}

function listResult(
  method: string,
  member: string,
  result: Fields,
  isModern: boolean,
  note: Note,
): Fields {
  let read = result;
  const { nextCursor, next_cursor: other } = result;
  if (isMissing(nextCursor) && isText(other) && other !== '') {
    note(`${method}: next_cursor is read as nextCursor.`);
    const usual = { ...omitMember(result, 'next_cursor'), nextCursor: other };
    return listResult(method, member, usual, isModern, note);
  }
  if (nextCursor === null || nextCursor === '') {
    note(`${method}: nextCursor is ${nextCursor === null ? 'null' : 'empty'}, not left out.`);
    read = omitMember(read, 'nextCursor');
  } else if (nextCursor !== undefined && !isText(nextCursor)) {
    note(`${method}: nextCursor is not a string.`);
    if (isModern) read = { ...read, nextCursor: showValue(nextCursor) };
  }
  const items = listedItems(method, member, result, note);
  // If there is no list, listAllPages rejects.
  if (items === null) return read;
  const all = readItems(method, items, note);
  if (isModern)
    return { ...read, [member]: [], [uncheckedItems]: writableItems(method, all, note) };
  return all === result[member] ? read : { ...read, [member]: all };
}

/** Leaves out items that are nested too deep to be serialised again. */
function writableItems(method: string, items: readonly unknown[], note: Note): readonly unknown[] {
  const flat = items.filter((item) => !isObject(item) || !deeperThan(item, maxDepth));
  const count = items.length - flat.length;
  if (count > 0)
    note(`${method}: items nested more than ${maxDepth} levels deep are left out: ${count}.`);
  return flat;
}

function listedItems(
  method: string,
  member: string,
  result: Fields,
  note: Note,
): readonly unknown[] | null {
  const { [member]: list } = result;
  if (isList(list)) return list;
  const others = Object.keys(result).filter((name) => name !== member && !commonMembers.has(name));
  if (list === null || (list === undefined && others.length === 0)) {
    note(`${method}: ${member} is ${list === null ? 'null' : 'missing'}: read as an empty list.`);
    return [];
  }
  if (list !== undefined) {
    const items = itemsOf(list);
    if (items !== null) note(`${method}: ${member} is an object, not a list.`);
    return items;
  }
  const lists = others.filter((name) => Array.isArray(result[name]));
  const [only = ''] = lists;
  const { [only]: items } = result;
  if (lists.length !== 1 || !isList(items)) return null;
  note(`${method}: the list is in ${only.slice(0, 40)}, not in ${member}.`);
  return items;
}

function promptResult(result: Fields, noteBreach: Note): Fields {
  const list = listOf(result, 'messages', noteBreach);
  const read = list.flatMap((message): unknown[] => {
    if (isSpecType.PromptMessage(message)) return [message];
    const { role, content } = asFields(isText(message) ? { content: message } : message);
    noteBreach('a message has no valid role or content.');
    const blocks = readBlocks(content, 'messages.content', noteBreach);
    return blocks.map((block) => ({
      role: role === 'assistant' ? role : 'user',
      content: block,
    }));
  });
  const isSame = list === result.messages && read.every((message, at) => message === list[at]);
  return isSame ? result : { ...withoutNull(result, 'description'), messages: read };
}

function resourceResult(result: Fields, uri: unknown, noteBreach: Note): Fields {
  const list = listOf(result, 'contents', noteBreach);
  const read = mapSame(list, (part) => {
    if (isSpecType.TextResourceContents(part) || isSpecType.BlobResourceContents(part)) return part;
    noteBreach('a part of contents has no valid uri, or no valid text or blob.');
    const {
      text,
      blob,
      mimeType,
      uri: own,
      _meta,
    } = asFields(isText(part) ? { text: part } : part);
    const about = {
      uri: isText(own) ? own : showValue(uri),
      ...(isText(mimeType) && { mimeType }),
      ...(isObject(_meta) && { _meta }),
    };
    const bytes = { ...about, blob };
    return isSpecType.BlobResourceContents(bytes)
      ? bytes
      : { ...about, text: isText(text) ? text : textOf(isMissing(text) ? part : text) };
  });
  return read === result.contents ? result : { ...result, contents: read };
}

/** Returns the list that is a member of the result. A single value in its place is read as a list of it. */
function listOf(result: Fields, member: string, noteBreach: Note): readonly unknown[] {
  const value = result[member];
  if (isList(value)) return value;
  noteBreach(`${member} is not a list.`);
  return isMissing(value) ? [] : [value];
}

function completionResult(result: Fields, noteBreach: Note): Fields {
  const completion = asFields('completion' in result ? result.completion : result);
  const { values, total, hasMore } = completion;
  const isLong = Array.isArray(values) && values.length > maxSuggestions;
  if ('completion' in result && isStrings(values) && !isLong && total !== null && hasMore !== null)
    return result;
  noteBreach('completion is not an object with at most 100 values.');
  const all: unknown[] = Array.isArray(values) ? values : [];
  return { completion: { values: all.filter(isText).slice(0, maxSuggestions) } };
}

function withoutNull(value: Fields, member: string): Fields {
  return value[member] === null ? omitMember(value, member) : value;
}
