import { expect, test } from 'vitest';
import type { HttpKind } from '../../../runtime/spec/model.ts';
import { answers, frame, inPieces, utf8 } from './streams.fixture.ts';

const noAnswers = [
  'data:\n\n',
  'data: \n\n',
  'data\n\n',
  ':\n\n',
  ': OPENROUTER PROCESSING\n\n',
  'data: : OPENROUTER PROCESSING\n\n',
  'data: : keep-alive\n\n',
  'data: {}\n\n',
  'data: { }\n\n',
  'data: null\n\n',
  'data: []\n\n',
  'data: [{}]\n\n',
  'data: true\n\n',
  'data: 0\n\n',
  'data: ""\n\n',
  'data: "ping"\n\n',
  'data: ping\n\n',
  'data: [PING]\n\n',
  'data: keep-alive\n\n',
  'data: {"type":"ping"}\n\n',
  'data: {"type":"keepalive"}\n\n',
  'data: {"object":"ping"}\n\n',
  'data: {"heartbeat":true}\n\n',
  'data: {"status":"processing","position":3}\n\n',
  'data: {"error":null}\n\n',
  'data: {"choices":[],"prompt_filter_results":[]}\n\n',
  'event: ping\ndata: {"type":"ping"}\n\n',
  'event: ping\ndata: still here\n\n',
  'event: ping\ndata:\n\n',
  'event: ping\n\n',
  'event: heartbeat\ndata: {"choices":[{"index":0,"delta":{"content":"NO"}}]}\n\n',
  'id: 7\nretry: 500\nevent: keepalive\ndata: {}\n\n',
  'data: {}\ndata: {}\n\n',
  'ping\n\n',
];

for (const kind of Object.keys(answers) as HttpKind[]) {
  const frames = answers[kind];

  test.each(noAnswers)(`${kind}: %j is skipped and counted, wherever it is`, async (other) => {
    const counted = { input: 3, output: 2 };
    for (const at of frames.keys()) {
      const body = [...frames.slice(0, at), other, other, ...frames.slice(at)].join('');
      const answer = await inPieces(kind, [utf8(body)]);
      expect(answer).toMatchObject({ text: 'Hello.', finish: 'stop', usage: counted });
      if (other !== 'event: ping\n\n') expect(answer.skipped).toBeGreaterThanOrEqual(2);
    }
  });

  test(`${kind}: only a stream without an answer is invalid`, async () => {
    const only = noAnswers.filter((one) => one.includes('data')).join('');
    for (const end of ['', 'data: [DONE]\n\n'])
      expect((await inPieces(kind, [utf8(only + end)])).fault).toMatch(
        /^answer: The endpoint sent an invalid answer/,
      );
    // A frame with only a usage is not an answer.
    const usage = kind === 'google' ? { usageMetadata: {} } : { usage: { prompt_tokens: 1 } };
    const { fault } = await inPieces(kind, [utf8(`data: {}\n\n${frame(usage)}`)]);
    expect(fault).toMatch(/^answer: The endpoint sent an invalid answer/);
  });

  test(`${kind}: errors and damaged frames are not skipped`, async () => {
    const begun = frames[0] ?? '';
    const faults = [
      'event: error\ndata: Out of memory.\n\n',
      'data: {"error":{"message":"Out of memory.","type":"server_error","code":500}}\n\n',
      'data: {"error":"Out of memory."}\n\n',
      'data: [{"error":{"message":"Out of memory.","code":500,"status":"INTERNAL"}}]\n\n',
    ];
    for (const fault of faults)
      expect((await inPieces(kind, [utf8(begun + fault)])).fault).toMatch(/Out of memory/);
    const { fault } = await inPieces(kind, [utf8(`${begun}data: {"choices":[{"de\n\n`)]);
    expect(fault).toMatch(/^answer: The endpoint sent an invalid answer/);
  });

  test(`${kind}: a last frame without a line end counts, and one that is cut off does not`, async () => {
    const body = frames.join('').trimEnd();
    expect(await inPieces(kind, [utf8(body)])).toMatchObject({
      text: 'Hello.',
      finish: 'stop',
    });
    const cut = (frames[0] ?? '') + (frames[1] ?? '').slice(0, 20);
    expect((await inPieces(kind, [utf8(cut)])).fault).toMatch(/^cut: /);
  });

  test(`${kind}: frames may have no empty line between them, at the end too`, async () => {
    const lines = frames.map((one) => one.trimEnd());
    const whole = { text: 'Hello.', finish: 'stop' };
    const last = [...lines.slice(0, -2), lines.slice(-2).join('\n')].join('\n\n');
    const named = lines.map((line) => `event: e\n${line}`).join('\n');
    for (const body of [
      lines.join('\n'),
      `${lines.join('\n')}\n`,
      lines.join('\r\n'),
      last,
      named,
      `${lines.join('\n')}\ndata: {"half`,
      `event: ping\ndata: {}\n${named}\nevent: ping`,
    ])
      expect(await inPieces(kind, [utf8(body)])).toMatchObject(whole);
    const cut = `${lines[0] ?? ''}\n${(lines[1] ?? '').slice(0, 20)}`;
    expect((await inPieces(kind, [utf8(cut)])).fault).toMatch(/^cut: /);
    // A frame over several lines, without its end.
    const pretty = 'data: {\ndata: "choices": [],\ndata: "a": {';
    expect((await inPieces(kind, [utf8(`${frames[0] ?? ''}${pretty}`)])).fault).toMatch(/^cut: /);
    const damaged = `${lines[0] ?? ''}\ndata: {"half\n${lines.slice(1).join('\n')}`;
    expect((await inPieces(kind, [utf8(damaged)])).fault).toMatch(/^answer: /);
  });

  test(`${kind}: what follows the end of a complete answer is skipped and counted`, async () => {
    const body = `${frames.join('')}data: [DONE]\n\n`;
    for (const more of [
      frames.join(''),
      `${frames.join('')}data: [DONE]\n\n`,
      frame({ text: 'NO' }),
    ]) {
      const answer = await inPieces(kind, [utf8(body + more)]);
      expect(answer).toMatchObject({ text: 'Hello.', finish: 'stop' });
      expect(answer.skipped).toBeGreaterThan(0);
    }
    // An end without an answer before it is ignored.
    const late = await inPieces(kind, [utf8(`data: [DONE]\n\n${frames.join('')}`)]);
    expect(late.text).toBe('Hello.');
  });
}

const chatKinds = ['openai-compatible', 'openai-chat'] as const;
const sent = { name: 'sess__now', arguments: '{}' };

function choice(index: number, content: string, finish_reason: string | null = null): object {
  return { index, delta: { content }, finish_reason };
}

function chunk(...choices: readonly object[]): string {
  return frame({ choices });
}

test.each([
  ['0', [0, 1]],
  ['1, which came first', [1, 0]],
])('of several choices, only %s is read', async (_, [own = 0, other = 0]) => {
  const both = chunk(choice(other, 'wise', 'stop'), choice(own, 'lo'));
  const rest = [
    chunk(choice(other, 'Other')),
    chunk({ ...choice(other, ''), delta: { tool_calls: [{ index: 0, id: 'c', function: sent }] } }),
    chunk(choice(own, '.', 'stop')),
    'data: [DONE]\n\n',
  ];
  const together = [chunk(choice(own, 'Hel')), both];
  const inTurn = [
    chunk(choice(own, '')),
    chunk(choice(other, '')),
    chunk(choice(own, 'Hel')),
    chunk(choice(other, 'Other')),
    chunk(choice(own, 'lo')),
  ];
  for (const kind of chatKinds)
    for (const begun of [together, inTurn]) {
      const read = await inPieces(kind, [utf8([...begun, ...rest].join(''))]);
      expect(read).toMatchObject({ text: 'Hello.', calls: [], finish: 'stop' });
    }
});

test.each([
  ['from 0', [0, 1, 2]],
  ['from 1', [1, 2, 3]],
  ['and is 0 at the end', [0, 1, 0]],
  ['and is 0 at the end only', [1, 2, 0]],
])(
  'the only choice is read even if its index counts up %s',
  async (_, [one = 0, two = 0, end = 0]) => {
    const body = [
      chunk(choice(one, 'Hel')),
      chunk(choice(two, 'lo')),
      chunk(choice(end, '.', 'stop')),
      'data: [DONE]\n\n',
    ];
    for (const kind of chatKinds)
      expect(await inPieces(kind, [utf8(body.join(''))])).toMatchObject({
        text: 'Hello.',
        finish: 'stop',
        skipped: 0,
      });
  },
);
