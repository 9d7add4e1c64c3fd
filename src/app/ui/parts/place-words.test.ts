import { expect, test } from 'vitest';
import { placeWords } from './place-words.ts';

test('files and servers are counted apart, and files without tools are not counted', () => {
  const file = { tools: [{ tool: {} }, { tool: {} }] };
  const server = { tools: [{ tool: { server: { id: 's', url: 'https://far.example/' } } }] };
  const broken = { tools: [] };
  expect([[broken], [file, file], [server], [file, server, broken]].map(placeWords)).toEqual([
    '',
    ' in 2 files',
    ' in 1 server',
    ' in 1 file and 1 server',
  ]);
});
