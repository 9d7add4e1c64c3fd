import { expect, test } from 'vitest';
import { finish } from '../../runtime/spec/tool.ts';
import { findCalledTool } from './called-tool.ts';
import { threadMs } from '../../../tests/support/thread-time.ts';

const names: [string, string][] = [
  ['sess:echo', 'sess__echo'],
  ['sess:now', 'sess__now'],
  ['weather:get_forecast', 'weather__get_forecast'],
  ['geo:find', 'geo__find'],
  ['text:find', 'text__find'],
  ['my tools:Größe', 'my_tools_Gr_e_h0123456789'],
];

test.each([
  ['sess__echo', 'sess:echo'],
  ['sess:echo', 'sess:echo'],
  ['sess.echo', 'sess:echo'],
  ['sess/echo', 'sess:echo'],
  ['sess-echo', 'sess:echo'],
  ['sess_echo', 'sess:echo'],
  ['echo', 'sess:echo'],
  ['ECHO', 'sess:echo'],
  ['Sess__Echo', 'sess:echo'],
  ['functions.sess__echo', 'sess:echo'],
  ['functions.sess:echo', 'sess:echo'],
  ['functions.echo', 'sess:echo'],
  ['functions.sess__echo:0', 'sess:echo'],
  ['functions:sess__echo', 'sess:echo'],
  ['functions::sess__echo', 'sess:echo'],
  ['tool.echo', 'sess:echo'],
  ['tools/sess__echo', 'sess:echo'],
  ['default_api.sess__echo', 'sess:echo'],
  ['default_api:sess__echo', 'sess:echo'],
  ['mcp__sess__echo', 'sess:echo'],
  ['sess__echo<|channel|>commentary', 'sess:echo'],
  ['functions.sess__echo<|constrain|>json', 'sess:echo'],
  ['sess__echo()', 'sess:echo'],
  [' sess__echo\n', 'sess:echo'],
  ['`sess__echo`', 'sess:echo'],
  ['"sess:echo"', 'sess:echo'],
  ['getForecast', 'weather:get_forecast'],
  ['weather.getForecast', 'weather:get_forecast'],
  ['geo.find', 'geo:find'],
  ['my tools:Größe', 'my tools:Größe'],
  ['größe', 'my tools:Größe'],
  [`functions.${finish}`, finish],
  [finish, finish],
])('%j means %j', (said, tool) => {
  expect(findCalledTool(said, names)).toBe(tool);
});

test.each([
  'find', // Two tools have this name.
  'functions.find',
  'FIND',
  'other.echo',
  'sess__ech',
  'echoes',
  'ech',
  'sess',
  'sess:',
  'functions.',
  'functions',
  ':',
  '',
  '🙂',
  '__proto__',
  'constructor',
])('%j means no tool', (said) => {
  expect(findCalledTool(said, names)).toBe('');
});

test('a name that fits two tools in different ways means none of them', () => {
  const two: [string, string][] = [
    ['get:user', 'get__user'],
    ['x:get_user', 'x__get_user'],
  ];
  expect(findCalledTool('get_user', two)).toBe('');
  expect(findCalledTool('get__user', two)).toBe('get:user');
  const cases: [string, string][] = [
    ['a:Echo', 'a__Echo'],
    ['b:echo', 'b__echo'],
  ];
  expect([findCalledTool('echo', cases), findCalledTool('ECHO', cases)]).toEqual(['b:echo', '']);
});

test('a tool whose module is called like a namespace is found by its own name', () => {
  const own: [string, string][] = [
    ['tools:echo', 'tools__echo'],
    ['sess:echo', 'sess__echo'],
  ];
  expect(findCalledTool('tools.echo', own)).toBe('tools:echo');
});

test.each([
  `a${' '.repeat(200_000)}b`,
  `a${'"'.repeat(200_000)}b`,
  `sess__echo${' '.repeat(2_000)}`,
  'x'.repeat(1_000_000),
])('a name that is too long means no tool, and is not searched', (said) => {
  const from = threadMs();
  expect(findCalledTool(said, names)).toBe('');
  expect(threadMs() - from).toBeLessThan(2_000);
});
