import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ToolError } from '../../../runtime/spec/error.ts';
import type {
  ImportChoice,
  ImportOutline,
  WrittenImport,
} from '../../../runtime/protocol/imports.ts';
import { addressOf } from '../../../runtime/protocol/imports.ts';
import { DocumentImport } from './document-import.svelte.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const server = {
  url: 'https://{r}.example',
  description: '',
  variables: [{ name: 'r', value: 'eu', choices: [], description: '' }],
};

function outline(count: number, more: Partial<ImportOutline> = {}): ImportOutline {
  const items = Array.from({ length: count }, (_, id) => ({
    id,
    name: `get_${id}`,
    label: `GET /${id}`,
    summary: '',
    tags: [],
    refusal: id === 1 ? 'Browsers send no TRACE requests.' : '',
  }));
  return {
    kind: 'openapi',
    title: 'A',
    format: '3',
    module: 'a_api',
    servers: [server],
    items,
    notes: [],
    ...more,
  };
}

function setUp(read: ImportOutline | Error, taken: readonly string[] = []) {
  const writes: ImportChoice[] = [];
  let answer: (written: WrittenImport) => void = () => undefined;
  let isEnded = false;
  const draft = new DocumentImport(
    Promise.resolve({
      start: () => ({
        read: () => (read instanceof Error ? Promise.reject(read) : Promise.resolve(read)),
        write: (_: AbortSignal, choice: ImportChoice) => {
          writes.push(choice);
          return new Promise<WrittenImport>((resolve) => (answer = resolve));
        },
        end: () => (isEnded = true),
      }),
      fetch: () => Promise.reject(new ToolError('not-found', 'You are offline', 'Connect.')),
    }),
    (path) => taken.includes(path),
  );
  const written = { text: 'x', notes: new Map(), origins: [], keys: [] };
  return {
    draft,
    writes,
    written,
    answer: (given: WrittenImport) => answer(given),
    isEnded: () => isEnded,
  };
}

test('a small document is chosen whole, with its first server, under a free name', async () => {
  const { draft, writes, written, answer } = setUp(outline(3), ['a_api.py']);
  await draft.readText('{}');
  expect([[...draft.chosen], draft.base, draft.path]).toEqual([
    [0, 2],
    'https://eu.example',
    'a_api_2.py',
  ]);
  draft.choose([1], true);
  expect(draft.chosen.has(1)).toBe(false);
  await vi.advanceTimersByTimeAsync(300);
  expect(writes).toEqual([{ items: [0, 2], base: 'https://eu.example', module: 'a_api_2' }]);
  answer(written);
  await vi.advanceTimersByTimeAsync(0);
  expect(draft.written).toBe(written);
});

test('of a large document, nothing is chosen at first', async () => {
  const { draft, writes } = setUp(outline(30));
  await draft.readText('{}');
  await vi.advanceTimersByTimeAsync(300);
  expect([draft.chosen.size, writes]).toEqual([0, []]);
  draft.query = 'GET /2';
  expect(draft.found.map(({ id }) => id)).toEqual([
    2,
    ...Array.from({ length: 10 }, (_, n) => 20 + n),
  ]);
});

test('a file that was written for an earlier choice is dropped', async () => {
  const { draft, writes, written, answer } = setUp(outline(3));
  await draft.readText('{}');
  await vi.advanceTimersByTimeAsync(300);
  draft.choose([0], false);
  answer(written);
  await vi.advanceTimersByTimeAsync(0);
  expect([draft.written, draft.busy]).toEqual([null, 'no']);
  await vi.advanceTimersByTimeAsync(300);
  expect(writes.map(({ items }) => items)).toEqual([[0, 2], [2]]);
  draft.useModule('not legal');
  await vi.advanceTimersByTimeAsync(300);
  expect([writes.length, draft.moduleFault]).toEqual([2, expect.stringContaining('Use letters')]);
});

test('a document that is too large, unreachable or unreadable is refused with the reason', async () => {
  const { draft, isEnded } = setUp(new Error('The document could not be read'));
  await draft.readFile(new File(['x'.repeat(10 * 1024 * 1024 + 1)], 'a'));
  expect(draft.fault?.fault).toBe('The document is larger than 10 MB');
  await draft.fetch('https://a.example');
  expect(draft.fault).toEqual({ fault: 'You are offline', hint: 'Connect.' });
  await draft.readText('{}');
  expect(draft.fault?.fault).toBe('The document could not be read');
  draft.dispose();
  expect(isEnded()).toBe(true);
});

test('a value of an address is put in as it is', () => {
  const server = { url: 'https://{host}/v1', variables: [{ name: 'host', value: '' }] };
  const address = (values: readonly (readonly [string, string])[]) =>
    addressOf(server as never, new Map(values));
  expect(address([['host', 'a$&b']])).toBe('https://a$&b/v1');
  expect(address([['host', '{host}{host}']])).toBe('https://{host}{host}/v1');
  expect(address([['host', 'x'.repeat(5_000)]])).toHaveLength(2_000);
});
