import { describe, expect, it, test } from 'vitest';
import { pieceChars, toPieces, type Header } from '../../src/runtime/protocol/python.ts';
import {
  Allowance,
  Breach,
  Inbox,
  toInspection,
  toOutcome,
  toProposal,
  toWorkspaceReport,
  workspaceChars,
} from './incoming.ts';

const header = '{"t":"result","id":7}';
const resultMessage = (payload: string): string => `${header}\n${payload}`;

function inbox(room = 10_000_000, waiting: readonly number[] = [7]): Inbox {
  const limitOf = ({ t, id }: Header): number =>
    (t === 'result' && waiting.includes(id)) || t === 'stream' ? room : 0;
  return new Inbox(new Allowance(() => 0), limitOf);
}

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Breach) return thrown.reason;
  }
  return 'nothing';
}

describe('the inbox', () => {
  it('accepts a whole message', () => {
    expect(inbox().accept('=' + resultMessage('{"ok":true}'))).toEqual({
      header: { t: 'result', id: 7 },
      payload: '{"ok":true}',
    });
  });

  it('joins the pieces of a long message', () => {
    const payload = 'x'.repeat(3 * pieceChars + 17);
    const box = inbox();
    const messages = [...toPieces(header, payload)].map((piece) => box.accept(piece));
    expect(messages.slice(0, -1)).toEqual([null, null, null]);
    expect(messages.at(-1)?.payload).toBe(payload);
  });

  it.each([0, 1])('accepts a message that fills one piece, and %i characters more', (more) => {
    const payload = 'x'.repeat(pieceChars - header.length - 1) + 'y'.repeat(more);
    const box = inbox();
    const pieces = [...toPieces(header, payload)];
    expect(pieces).toHaveLength(1 + more);
    expect(pieces.map((piece) => box.accept(piece)).at(-1)?.payload).toBe(payload);
  });

  it('rejects a long message that was not requested', () => {
    const [first] = toPieces(header, 'x'.repeat(2 * pieceChars));
    expect(reasonOf(() => inbox(10_000_000, []).accept(first))).toBe('protocol');
  });

  it('rejects a message above its limit', () => {
    const box = inbox(2.5 * pieceChars);
    expect(
      reasonOf(() => {
        for (const piece of toPieces(header, 'x'.repeat(4 * pieceChars))) box.accept(piece);
      }),
    ).toBe('protocol');
  });

  it('rejects an endless message at the first piece above the limit', () => {
    const [first, next] = toPieces(header, 'x'.repeat(9 * pieceChars));
    const box = inbox(2.5 * pieceChars);
    expect([box.accept(first), box.accept(next)]).toEqual([null, null]);
    expect(reasonOf(() => box.accept(next))).toBe('protocol');
  });

  it.each([
    ['a piece of another size', '+abc'],
    ['an end without a beginning', '.abc'],
    ['a whole message longer than a piece', '=' + 'x'.repeat(pieceChars + 1)],
  ])('rejects %s', (_, text) => {
    expect(reasonOf(() => inbox().accept(text))).toBe('protocol');
  });

  it.each([
    ['numbers', 5],
    ['null', null],
    ['objects', { t: 'result', id: 7 }],
    ['Comlink messages', { type: 'APPLY', path: ['constructor'], argumentList: [] }],
    ['strings of another wire', 'hello'],
    ['headers that are not JSON', '={"t":\n{}'],
    ['headers that are arrays', '=["result",7]\n{}'],
    ['headers with invalid ids', '={"t":"result","id":-1}\n{}'],
    ['unknown types', '={"t":"__proto__","id":7}\n{}'],
    ['answers that were not requested', '={"t":"result","id":8}\n{}'],
  ])('ignores %s until they are a flood', (_, data) => {
    const box = inbox();
    for (let n = 0; n < 300; n += 1) expect(box.accept(data)).toBeNull();
    expect(reasonOf(() => box.accept(data))).toBe('flood');
  });

  it('accepts streams at the rate of the allowance', () => {
    let now = 0;
    const box = new Inbox(new Allowance(() => now), () => 1_000);
    const stream = '={"t":"stream","id":7}\n{}';
    for (let n = 0; n < 300; n += 1) expect(box.accept(stream)).not.toBeNull();
    now = 1_000;
    for (let n = 0; n < 60; n += 1) expect(box.accept(stream)).not.toBeNull();
    expect(reasonOf(() => box.accept(stream))).toBe('flood');
  });

  it('does not count answers against the allowance', () => {
    const box = inbox();
    for (let n = 0; n < 5_000; n += 1) expect(box.accept('=' + resultMessage('{}'))).not.toBeNull();
  });
});

const place = { file: 'a.py', line: 1, column: null };

function tool(parameters: unknown): Record<string, unknown> {
  return {
    name: 'a:f',
    label: 'F',
    description: 'Does it.',
    parameters,
    source: place,
    handler: { kind: 'function', name: 'f', file: 'a.py', line: 1 },
    takesContext: false,
    timeout_s: 60,
    requires_approval: false,
    concurrency_safe: false,
    stateless: false,
    background_safe: false,
    interrupt: 'cancel',
    deferred: false,
    prompt_hint: '',
    prompt_guides: [],
    examples: [],
    returns: null,
    annotations: {},
  };
}

function report(parameters: unknown): string {
  const tools = [tool(parameters)];
  return JSON.stringify({
    file: 'a.py',
    tools,
    problems: [],
    noSpecs: false,
    imports: [],
    output: '',
    durationMs: 1,
  });
}

test('each tool is packed as its own JSON text', () => {
  const parameters = { type: 'object', properties: { n: { type: 'integer', default: 1 } } };
  const packed = toInspection(report(parameters), 'a.py');
  expect(packed?.tools.map((text) => JSON.parse(text) as unknown)).toEqual([tool(parameters)]);
});

test('settings are accepted as Python reports them, and nothing else', () => {
  const setting = { group: 'Valves', name: 'KEY', schema: {}, required: false, secret: true };
  const read = (settings: unknown) => {
    const whole = JSON.parse(report({})) as object;
    return toInspection(JSON.stringify({ ...whole, settings }), 'a.py')?.settings;
  };
  expect(read([setting])).toEqual([setting]);
  expect(read([{ ...setting, group: 'other' }])).toBeUndefined();
  expect(read([{ ...setting, value: 'k' }])).toBeUndefined();
  expect(read(Array(2_001).fill(setting))).toBeUndefined();
});

test('a report about another file is rejected', () => {
  expect(toInspection(report({}), 'b.py')).toBeUndefined();
});

// A forged report: the loader itself refuses such a tool.
test('a report with a tool of too many values is rejected', () => {
  const properties = (count: number): Record<string, unknown> => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, true])),
  });
  expect(toInspection(report(properties(59_000)), 'a.py')).toBeDefined();
  expect(toInspection(report(properties(61_000)), 'a.py')).toBeUndefined();
});

describe('a proposal', () => {
  const proposed = {
    name: 'a:f',
    line: 1,
    description: '',
    parameters: { type: 'object' },
    included: true,
    notes: ['n'],
  };
  const whole = { file: 'a.py', tools: [proposed], text: 'x', notes: [] };
  const read = (changes: object) => toProposal(JSON.stringify({ ...whole, ...changes }), 'a.py');

  it('is accepted as Python sends it', () => {
    expect(read({})).toEqual(whole);
    expect(read({ text: null })?.text).toBeNull();
  });

  it.each([
    ['about another file', { file: 'b.py' }],
    ['with another key', { more: 1 }],
    ['without a text', { text: 1 }],
    ['with a text that is too long', { text: 'x'.repeat(8_000_001) }],
    ['with a tool without a name', { tools: [{ ...proposed, name: undefined }] }],
    ['with too many tools', { tools: Array(2_001).fill(proposed) }],
    [
      'with too many values',
      { tools: [{ ...proposed, parameters: { a: Array(250_000).fill(1) } }] },
    ],
  ])('is rejected %s', (_, changes) => {
    expect(read(changes)).toBeUndefined();
  });
});

function result(content: unknown, more: object = {}): string {
  return JSON.stringify({
    ok: true,
    content,
    metadata: '{}',
    durationMs: 1,
    outputDropped: 0,
    ...more,
  });
}

test('a long text beside the JSON of a result is put into its place', () => {
  const parts = [
    { type: 'text', text: 'short' },
    { type: 'json', text: '' },
  ];
  const text = '{"a": "line\n\n"}';
  expect(toOutcome(`${result(parts, { longText: 1 })}\n${text}`)?.outcome.content).toEqual([
    { type: 'text', text: 'short' },
    { type: 'json', text },
  ]);
  const image = { type: 'image', mediaType: 'image/png', data: '' };
  expect(toOutcome(`${result([image], { longText: 0 })}\nAAAA`)?.outcome.content).toEqual([
    { ...image, data: 'AAAA' },
  ]);
});

test.each([
  ['no index', result([{ type: 'text', text: '' }])],
  ['an index without a part', result([{ type: 'text', text: '' }], { longText: 1 })],
  ['an index that is no number', result([{ type: 'text', text: '' }], { longText: '0' })],
  ['a part that is no object', result(['text'], { longText: 0 })],
  ['no list of parts', result({ 0: { type: 'text', text: '' } }, { longText: 0 })],
  ['no JSON', '{'],
  ['an index that names an inherited member', result([], { longText: 'constructor' })],
])('a result with a long text and %s is rejected', (_, head) => {
  expect(toOutcome(`${head}\ntext`)).toBeUndefined();
});

test('a result whose long text is missing is rejected', () => {
  const parts = [{ type: 'text', text: '' }];
  expect(toOutcome(result(parts))).toBeDefined();
  expect(toOutcome(result(parts, { longText: 0 }))).toBeUndefined();
});

const nothing = { files: [], removed: [], folders: [], foldersGone: [], left: [], more: false };

test('contents are decoded', () => {
  const report = { ...nothing, files: [{ path: 'a', modifiedAt: 5, data: btoa('text') }] };
  expect(toWorkspaceReport(JSON.stringify(report))).toEqual({
    ...nothing,
    files: [{ path: 'a', modifiedAt: 5, bytes: new TextEncoder().encode('text') }],
  });
});

test.each([
  'no JSON',
  '[]',
  '{}',
  JSON.stringify({ ...nothing, more: 1 }),
  JSON.stringify({ ...nothing, extra: 1 }),
  JSON.stringify({ ...nothing, files: [{ path: 'a', modifiedAt: 5, data: '*' }] }),
  JSON.stringify({ ...nothing, files: [{ path: 'a', modifiedAt: null, data: '' }] }),
  JSON.stringify({ ...nothing, files: [{ path: 'x'.repeat(1_001), modifiedAt: 5, data: '' }] }),
  JSON.stringify({ ...nothing, left: [{ path: 'a', why: 'because' }] }),
  JSON.stringify({ ...nothing, removed: Array.from({ length: 20_001 }, () => 'a') }),
])('an invalid report is rejected (%#)', (payload) => {
  expect(toWorkspaceReport(payload)).toBeUndefined();
});

test('the limit of an answer depends on what was requested', () => {
  const limits = (['nothing', 'paths', 'contents'] as const).map((tell) =>
    workspaceChars({
      copy: '',
      root: '',
      written: [],
      removed: [],
      folders: [],
      foldersGone: [],
      tell,
      fileBytes: 50_000_000,
    }),
  );
  expect(limits).toEqual([100_000, 22_000_000, 99_851_478]);
});
