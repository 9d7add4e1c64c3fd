/** The tools that the loop itself offers: one finds deferred tools, one reads on in long results. */

import { failure } from '../call/results.ts';
import { savedNameTable } from '../registry/name-table.ts';
import type { SessionState } from '../session/session-state.ts';
import type { Json } from '../spec/json.ts';
import type { ToolDefinition } from '../spec/model.ts';
import type { ToolResult } from '../spec/result.ts';
import type { SelectedTool } from '../spec/session.ts';
import { boundedText, isCut, shortId, toldText } from './answers.ts';

/** Wire names of tools have `__` in them or end with a hash, these never do. */
const search = 'tool_search';
const read = 'read_result';
export const builtInNames: readonly string[] = [search, read];
const mostFound = 8;
/** Characters and words of a query that are looked at: each word is looked for in each tool. */
const queryChars = 2_000;
const mostWords = 50;
/** OpenAI takes 128 tools, and our own are two. */
const mostTold = 126;
/** Of those, the ones that were found last. */
const mostLatest = 4 * mostFound;

export interface BuiltInResult {
  readonly result: ToolResult;
  /** Ids of tools whose whole definition the model has now. */
  readonly handedOver: readonly string[];
}

export function isBuiltIn(wire: string): boolean {
  return builtInNames.includes(wire);
}

/** Those that make sense in a session as it is. @param chars of each result, where less than usual has room */
export function builtInTools(state: SessionState, chars?: number): ToolDefinition[] {
  const offered: ToolDefinition[] = [];
  if (deferredTools(state).length > 0)
    offered.push({
      name: search,
      description:
        'Finds further tools and hands over their parameters, after which they can be called. Search for the names or words of the tools listed under “Further tools”.',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string', description: 'Names or words' } },
        required: ['query'],
      },
    });
  if ([...state.calls.values()].some(({ result }) => result !== null && isCut(result, chars)))
    offered.push({
      name: read,
      description: 'Reads on in a result that was too long to be given at once.',
      parameters: {
        type: 'object',
        properties: {
          result: { type: 'string', description: 'Its name, as the mark at the cut has it' },
          offset: { type: 'integer', minimum: 0, description: 'Characters to skip' },
        },
        required: ['result'],
      },
    });
  return offered;
}

/** Selected tools with all of their definition, as many as every provider takes; of more, those found last go first. */
export function toldTools({ selection, handedOver }: SessionState): readonly SelectedTool[] {
  const tools = selection?.tools ?? [];
  const wanted = tools.filter(({ deferred, name }) => !deferred || handedOver.has(name));
  if (wanted.length <= mostTold) return wanted;
  const found = [...handedOver].reverse();
  const latest = found.slice(0, mostLatest);
  const usual = tools.flatMap(({ deferred, name }) => (deferred ? [] : [name]));
  const names = new Set([...new Set([...latest, ...usual, ...found])].slice(0, mostTold));
  return wanted.filter(({ name }) => names.has(name));
}

/** Selected tools of which the model has only name and description. */
export function deferredTools(state: SessionState): readonly SelectedTool[] {
  const told = new Set(toldTools(state));
  return (state.selection?.tools ?? []).filter((tool) => !told.has(tool));
}

/** @param args the call's arguments, parsed */
export function runBuiltIn(wire: string, args: Json, state: SessionState): BuiltInResult {
  const given = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {};
  if (wire === search) return searchTools(text(given.query).slice(0, queryChars), state);
  return { result: readResult(text(given.result), given.offset, state), handedOver: [] };
}

function searchTools(query: string, state: SessionState): BuiltInResult {
  const names = savedNameTable(state.selection?.names ?? []);
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, mostWords);
  const untold = new Set(deferredTools(state));
  const ranked = (state.selection?.tools ?? [])
    .filter((tool) => tool.deferred || untold.has(tool))
    .map((tool) => ({ tool, wire: names.toWire(tool.name) ?? '' }))
    .filter(({ wire }) => wire !== '')
    .map(({ tool, wire }) => ({ tool, wire, score: scoreOf(tool, wire, query, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound);
  if (ranked.length === 0)
    return {
      result: said(
        `No further tool matches ${JSON.stringify(query.slice(0, 200))}. Use words of the list “Further tools”.`,
      ),
      handedOver: [],
    };
  const found = ranked.map(({ tool, wire }) => ({
    name: wire,
    description: tool.description,
    parameters: tool.parameters,
  }));
  return {
    result: said(`These tools can be called from now on:\n${JSON.stringify(found)}`),
    handedOver: ranked.map(({ tool }) => tool.name),
  };
}

function scoreOf(
  { name, description }: SelectedTool,
  wire: string,
  query: string,
  words: readonly string[],
): number {
  if (query.trim() === wire || query.trim() === name) return 1_000;
  const inName = `${name} ${wire}`.toLowerCase();
  const inDescription = description.toLowerCase();
  return words.reduce(
    (sum, word) => sum + (inName.includes(word) ? 3 : 0) + (inDescription.includes(word) ? 1 : 0),
    0,
  );
}

function readResult(name: string, offset: Json | undefined, state: SessionState): ToolResult {
  const calls = [...state.calls.values()];
  const call = calls.find(({ asked }) => name !== '' && shortId(asked.id) === name.slice(0, 8));
  const result = call?.result;
  if (call === undefined || result === undefined || result === null)
    return failure(
      'LookupError: no such result',
      `There is no result named ${JSON.stringify(name.slice(0, 100))}.`,
    );
  const from = typeof offset === 'number' && Number.isInteger(offset) && offset >= 0 ? offset : 0;
  const clean = toldText(result);
  if (from >= clean.length) return said('The result ends before this offset.');
  return said(boundedText(clean, call.asked.id, from));
}

/** What the loop itself answers to a call. */
export function said(textResultForLlm: string): ToolResult {
  const { error: _, ...rest } = failure('', textResultForLlm);
  return { ...rest, resultType: 'success', isError: false };
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
