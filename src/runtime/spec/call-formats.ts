/**
 * Reads calls that a server has left in the text of an answer. Models write calls in formats of their own, which servers
 * turn into calls only if they know the format.
 */

import { parseExact, exactMember } from './exact-json.ts';
import { asObject, isObject, parseJson } from './guards.ts';
import type { Json, JsonObject, JsonText } from './json.ts';
import type { ToolDefinition } from './model.ts';

export interface LeftCall {
  readonly wire: string;
  readonly arguments: JsonText;
}

/** A call as it is written. In some formats, each argument is a text, and only the tool's schema tells its type. */
interface WrittenCall {
  readonly name: string;
  readonly arguments: JsonText | ReadonlyMap<string, string>;
}

type Reader = (text: string) => readonly (WrittenCall | null)[];

const pythonTag = '<|python_tag|>';
const callsBegin = '<｜tool▁calls▁begin｜>';
const callsEnd = '<｜tool▁calls▁end｜>';
const kimiBegin = '<|tool_calls_section_begin|>';
const kimiEnd = '<|tool_calls_section_end|>';
/** The tags around lists of calls, each with the prefix of the tags inside. */
const invokeTags = [
  ['minimax:tool_call', ''],
  ['｜DSML｜function_calls', '｜DSML｜'],
] as const;
/** The opening and closing tags around JSON. */
const listTags = [
  ['<|tool_call|>', '<|/tool_call|>'],
  ['<TOOLCALL>', '</TOOLCALL>'],
  ['<tool_calls>', '</tool_calls>'],
] as const;
/** The beginnings of calls, each with the function that reads what follows. */
const formats: readonly (readonly [openings: readonly string[], read: Reader])[] = [
  // Hermes and Qwen
  [['<tool_call>'], (text) => between(text, '<tool_call>', '</tool_call>').map(jsonOrFunction)],
  // Qwen-Coder without the tag around it, and Llama
  [['<function='], (text) => functionsIn(text.replace(/<\/tool_call>$/, '').trimEnd())],
  // Llama
  [
    [pythonTag],
    (text) => [namedCall(text.slice(pythonTag.length).replace(/<\|(?:eom|eot)_id\|>$/, ''))],
  ],
  [['[TOOL_CALLS]'], mistralCalls],
  [[callsBegin], deepSeekCalls],
  // Kimi K2
  [[kimiBegin], kimiCalls],
  // Granite and Phi, Nemotron, Apriel and Jamba
  [listTags.map(([open]) => open), listedCalls],
  // MiniMax M2, and DeepSeek from V3.2 on
  [invokeTags.map(([tag]) => `<${tag}>`), invokedCalls],
  // Seed-OSS
  [
    ['<seed:tool_call>'],
    (text) =>
      between(text, '<seed:tool_call>', '</seed:tool_call>').map((inner) => {
        const [first = null, ...others] = functionsIn(inner.trim());
        return others.length === 0 ? first : null;
      }),
  ],
  // Phi and Firefunction
  [['functools['], (text) => namedCalls(text.slice('functools'.length))],
  // Command R
  [
    ['Action: ```json', 'Action:```json'],
    (text) => namedCalls(fenced(text.slice('Action:'.length).trim())),
  ],
  // gpt-oss, also from servers that leave out its special tokens
  [
    ['<|channel|>commentary', '<|start|>assistant', 'commentary to=functions.'],
    (text) => [harmonyCall(text)],
  ],
];
/** The beginnings of calls in all formats that are read. */
export const callOpenings = formats.flatMap(([openings]) => openings);
/** Matches other marks of these formats, and words about them. */
const aboutCalls =
  /<\/?(?:seed:|minimax:)?tool_calls?>|<function=|<\|\/?tool_calls?(?:\b|_)|<TOOLCALL>|DSML|<arg_key>|<\|python_tag\|>|\[TOOL_CALLS\]|tool▁call|\bfunctools\[|\bAction:\s*```|<\|channel\|>|to=functions\.|assistantfinal|\bharmony (?:format|channel|response)|\btool[-\s]?call(?:s|ing)?[-\s](?:format|syntax|tag|token|template|markup|xml)/i;
const notRun = String.raw`\b(?:do not|don['’]t|never|not to|without)\s+(?:actually\s+|really\s+)?(?:run|call|invok|execut|perform)(?:e|n?ing)?\b`;
const sentenceEnd = String.raw`(?:\s+(?:yet|now|please))?\s*(?:[.,:;!?)]|$)`;
const toolCall = String.raw`(?:\w+\s+)?(?:tool|function)[-\s]?calls?\b`;
/** Matches requests of a user for a call that is only written. An answer that is nothing but a call may then be that. */
const writtenOnly = new RegExp(
  [
    String.raw`${notRun}\s+(?:anything|(?:(?:the|a|any|this|that)\s+)?(?:tool|function)s?(?:\s+calls?)?)${sentenceEnd}`,
    String.raw`\b(?:only|just)\s+(?:the|a|one|your|its)\s+${toolCall}`,
    String.raw`\b(?:show|write|print|output|display|quote)\s+(?:me\s+|out\s+|down\s+)?(?:the|a|one|your|its|each)\s+${toolCall}`,
  ].join('|'),
  'im',
);
/** Matches such requests if the text speaks of calls: “Don’t run it” may also be about a script. */
const notRunIt = new RegExp(String.raw`${notRun}(?:\s+(?:it|this|that|them))?${sentenceEnd}`, 'im');
/** Characters at the end of a text that are searched for a call. */
const maxSearched = 20_000;

/** Whether a message is about one of these formats. Answers to such messages may quote a call. */
export function mentionsCallFormats(text: string): boolean {
  // Pages and JSON escape the brackets, and a model that quotes them does not.
  const plain = text.replace(/&lt;|\\u003c/gi, '<').replace(/&gt;|\\u003e/gi, '>');
  if (aboutCalls.test(plain)) return true;
  const lower = plain.toLowerCase();
  // @mutant a call in a text is not run after a message with the beginning of any format =>
  //   lower.includes(opening.toLowerCase()) -> false
  return callOpenings.some((opening) => lower.includes(opening.toLowerCase()));
}

/** Whether a message of the user asks for a call that is only written, such as “Show the tool call, do not run it.” */
export function asksForWrittenCall(text: string): boolean {
  return (
    writtenOnly.test(text) || (notRunIt.test(text) && /\b(?:tool|function|call)s?\b/i.test(text))
  );
}

/** Whether a text that begins like this can still become a call; `opened` if its beginning is complete. */
export function callOpening(text: string): 'opened' | 'possible' | 'none' {
  if (callOpenings.some((opening) => text.startsWith(opening))) return 'opened';
  return callOpenings.some((opening) => opening.startsWith(text)) ? 'possible' : 'none';
}

/** Returns the calls of which a text consists; null if it has anything else, or could also mean other calls. */
export function parseLeftCalls(
  text: string,
  tools: readonly Pick<ToolDefinition, 'name' | 'parameters'>[],
): readonly LeftCall[] | null {
  const calls = writtenCalls(text.trim()).map((call) => {
    const tool = tools.find(({ name }) => name === call?.name);
    if (call === null || tool === undefined) return null;
    const args =
      typeof call.arguments === 'string'
        ? call.arguments
        : typedArguments(call.arguments, asObject(tool.parameters.properties));
    return args === null ? null : { wire: call.name, arguments: args };
  });
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

/** Whether a text ends with a call. Other words may come before it, and its tool need not be known. */
export function endsWithCall(text: string): boolean {
  const end = text.slice(-maxSearched).trimEnd();
  const lines = [...end.matchAll(/^[ \t]*(?=[<[fAc])/gm)];
  return lines.some(({ index, 0: indent }) => {
    const calls = writtenCalls(end.slice(index + indent.length));
    return calls.length > 0 && !calls.includes(null);
  });
}

/** Returns the calls of which a text consists; null in place of each that is not valid. */
function writtenCalls(text: string): readonly (WrittenCall | null)[] {
  const [, read] =
    formats.find(([openings]) => openings.some((opening) => text.startsWith(opening))) ?? [];
  return read?.(text) ?? [];
}

/** Returns the texts between pairs of marks; empty if there is anything outside the pairs. */
function between(text: string, open: string, close: string): readonly string[] {
  const found: string[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf(close);
    if (!rest.startsWith(open) || end === -1) return [];
    found.push(rest.slice(open.length, end));
    rest = rest.slice(end + close.length).trimStart();
  }
  return found;
}

/** A call between tags: as JSON, as GLM writes it, or as a function of Qwen-Coder. */
function jsonOrFunction(inner: string): WrittenCall | null {
  const text = inner.trim();
  if (/^[^<{\s]+\s*(?:<arg_key>|$)/.test(text)) return keyedCall(text);
  if (!text.startsWith('<')) return namedCall(text);
  const [first = null, ...others] = functionsIn(text);
  return others.length === 0 ? first : null;
}

/** `<function=name>…</function>`, with the arguments as JSON or as parameters. */
function functionsIn(text: string): readonly (WrittenCall | null)[] {
  return between(text, '<function=', '</function>').map((inner) => {
    const [, name = '', body = ''] = /^([^<>\s]+)>([^]*)$/.exec(inner) ?? [];
    return body.trim().startsWith('{') ? callOf(name, body) : namedTexts(name, body.trim());
  });
}

/** GLM: `name<arg_key>key</arg_key><arg_value>value</arg_value>…`. */
function keyedCall(text: string): WrittenCall | null {
  const [, name = '', body = ''] = /^([^<{\s]+)\s*([^]*)$/.exec(text) ?? [];
  return namedPairs(
    name,
    body,
    between(body, '<arg_key>', '</arg_value>').map((pair) =>
      /^([^<>]+)<\/arg_key>\s*<arg_value>([^]*)$/.exec(pair),
    ),
  );
}

/** The arguments as `<parameter=key>value</parameter>…`. */
function namedTexts(name: string, body: string): WrittenCall | null {
  return namedPairs(
    name,
    body,
    between(body, '<parameter=', '</parameter>').map((parameter) =>
      /^([^<>\s]+)>\n?([^]*?)\n?$/.exec(parameter),
    ),
  );
}

/** @param pairs the parts of the body, each matched with its key and value */
function namedPairs(
  name: string,
  body: string,
  pairs: readonly (RegExpExecArray | null)[],
): WrittenCall | null {
  const values = new Map<string, string>();
  if (name === '' || (body !== '' && pairs.length === 0)) return null;
  for (const pair of pairs) {
    const [, key = '', value = ''] = pair ?? [];
    if (key === '' || values.has(key)) return null;
    values.set(key, value);
  }
  return { name, arguments: values };
}

/** The arguments as JSON; null if a text could be a value of more than one type. */
function typedArguments(
  values: ReadonlyMap<string, string>,
  properties: JsonObject,
): JsonText | null {
  const members = Array.from(values, ([key, value]) => {
    const types = [asObject(properties[key] ?? null).type ?? null].flat();
    if (types.length === 1 && types[0] === 'string')
      return `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    const isClear = !types.includes('string') && !types.includes(null);
    return isClear && parseJson(value) !== undefined ? `${JSON.stringify(key)}: ${value}` : null;
  });
  return members.includes(null) ? null : `{${members.join(', ')}}`;
}

/** `[TOOL_CALLS][{…}, …]`, or `[TOOL_CALLS]name[CALL_ID]id[ARGS]{…}` for each call. */
function mistralCalls(text: string): readonly (WrittenCall | null)[] {
  const [, ...calls] = text.replace(/<\/s>$/, '').split('[TOOL_CALLS]');
  const [first = ''] = calls;
  if (calls.length === 1 && first.trim().startsWith('[')) return namedCalls(first);
  return calls.map((call) => {
    const [, name = '', args = ''] =
      /^\s*([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(\{[^]*)$/.exec(call) ?? [];
    return callOf(name, args);
  });
}

/** `function<｜tool▁sep｜>name` and a fence of JSON for each call, or `name<｜tool▁sep｜>{…}`. */
function deepSeekCalls(text: string): readonly (WrittenCall | null)[] {
  const inner = text.slice(callsBegin.length).trim();
  const calls = inner.endsWith(callsEnd) ? inner.slice(0, -callsEnd.length).trim() : inner;
  return between(calls, '<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>').map((call) => {
    const [, name = '', args = ''] =
      /^(?:function<｜tool▁sep｜>)?([\w.-]+)(?:<｜tool▁sep｜>|\s+(?=```))([^]*)$/.exec(
        call.trim(),
      ) ?? [];
    return callOf(name, args.startsWith('```') ? fenced(args.trim()) : args);
  });
}

/** `functions.name:0<|tool_call_argument_begin|>{…}` for each call. */
function kimiCalls(text: string): readonly (WrittenCall | null)[] {
  const inner = text.slice(kimiBegin.length).trim();
  const calls = inner.endsWith(kimiEnd) ? inner.slice(0, -kimiEnd.length).trim() : inner;
  return between(calls, '<|tool_call_begin|>', '<|tool_call_end|>').map((call) => {
    const [, name = '', args = ''] =
      /^\s*(?:functions\.)?([\w.-]+):\d+\s*<\|tool_call_argument_begin\|>([^]*)$/.exec(call) ?? [];
    return callOf(name, args);
  });
}

/** Calls as JSON between tags: one call or a list. The closing tag may be missing. */
function listedCalls(text: string): readonly (WrittenCall | null)[] {
  const [open = '', close = ''] = listTags.find(([tag]) => text.startsWith(tag)) ?? [];
  const rest = text.slice(open.length);
  const inner = rest.endsWith(close) ? rest.slice(0, -close.length) : rest;
  return inner.trimStart().startsWith('{') ? [namedCall(inner)] : namedCalls(inner);
}

/** `<invoke name="name"><parameter name="key">value</parameter>…</invoke>` for each call, with prefixes in the tags. */
function invokedCalls(text: string): readonly (WrittenCall | null)[] {
  const [tag = '', prefix = ''] = invokeTags.find(([name]) => text.startsWith(`<${name}>`)) ?? [];
  const [inner = '', ...others] = between(text, `<${tag}>`, `</${tag}>`);
  if (others.length > 0) return [];
  return between(inner.trim(), `<${prefix}invoke name="`, `</${prefix}invoke>`).map((call) => {
    const [, name = '', body = ''] = /^([^"<>]+)">([^]*)$/.exec(call) ?? [];
    const pairs = between(body.trim(), `<${prefix}parameter name="`, `</${prefix}parameter>`);
    return namedPairs(
      name,
      body.trim(),
      pairs.map((pair) => /^([^"<>]+)"(?: string="(?:true|false)")?>\n?([^]*?)\n?$/.exec(pair)),
    );
  });
}

function harmonyCall(text: string): WrittenCall | null {
  const [, name = '', args = ''] =
    harmony.exec(text) ?? harmonyTo.exec(text) ?? plainHarmony.exec(text) ?? [];
  return callOf(name, args);
}

/** `<|channel|>commentary to=functions.name json<|message|>{…}<|call|>`, with the recipient in one of two places. */
const harmonyEnd = String.raw`\s*(?:<\|constrain\|>\s*)?(?:json\s*)?<\|message\|>([^]*?)(?:<\|call\|>)?$`;
const harmony = new RegExp(
  String.raw`^(?:<\|start\|>assistant)?<\|channel\|>commentary to=functions\.([\w.-]+)${harmonyEnd}`,
);
const harmonyTo = new RegExp(
  String.raw`^<\|start\|>assistant to=functions\.([\w.-]+)<\|channel\|>commentary${harmonyEnd}`,
);
/** The same text from servers that leave out the special tokens. */
const plainHarmony = /^commentary to=functions\.([\w.-]+)\s+json\s*(\{[^]*)$/;

/** The text in a code fence of JSON; empty if there is anything else. */
function fenced(text: string): string {
  return /^```json\s([^]*)```$/.exec(text)?.[1] ?? '';
}

function namedCalls(text: string): readonly (WrittenCall | null)[] {
  const value = exact(text);
  return Array.isArray(value) ? value.map(named) : [];
}

function namedCall(text: string): WrittenCall | null {
  return named(exact(text) ?? null);
}

/** A call in an object with a name, arguments, and perhaps an id. */
function named(value: Json): WrittenCall | null {
  if (!isObject(value)) return null;
  const { id: _, ...rest } = value;
  const name = rest.name ?? rest.tool_name;
  const key = Object.hasOwn(rest, 'arguments') ? 'arguments' : 'parameters';
  if (typeof name !== 'string' || !isObject(rest[key]) || Object.keys(rest).length !== 2)
    return null;
  return { name, arguments: exactMember(value, key) ?? '{}' };
}

/** A call with arguments as JSON; null if they are not an object. */
function callOf(name: string, args: string): WrittenCall | null {
  return name !== '' && isObject(parseJson(args)) ? { name, arguments: args.trim() } : null;
}

function exact(text: string): Json | undefined {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
