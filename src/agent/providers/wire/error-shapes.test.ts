import { describe, expect, test } from 'vitest';
import type { HttpKind } from '../../../runtime/spec/model.ts';
import { faultOf } from './classify-fault.ts';
import { parseProviderError, parseRetryDelay, retryAfterMs } from './provider-error.ts';
import { inPieces, utf8 } from './streams.fixture.ts';

const begun: Readonly<Record<HttpKind, string>> = {
  'openai-compatible': 'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n',
  'openai-chat': 'data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n',
  'openai-responses':
    'data: {"type":"response.created","response":{"id":"r","created_at":1,"model":"m"}}\n\n',
  anthropic: 'data: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":3}}}\n\n',
  google: 'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"x"}]}}]}\n\n',
};
const kinds = Object.keys(begun) as HttpKind[];

/** Frames that report an error in other members than `error`, with the fault. */
const errors: readonly (readonly [object, string])[] = [
  [{ errors: [{ message: 'No such model @cf/x', code: 5007 }], success: false }, 'model'],
  [{ base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }, 'credit'],
  [{ detail: 'prompt is too long' }, 'context'],
  [{ code: 429, message: 'Slow down' }, 'rate-limit'],
  [{ code: 503, message: 'No capacity' }, 'overloaded'],
  [{ error_code: 'INTERNAL_ERROR', message: 'Broken' }, 'overloaded'],
  [{ success: false, message: 'context length exceeded' }, 'context'],
  [{ type: 'exception', message: 'Input is too long for requested model.' }, 'context'],
];
const states = [{ message: 'processing' }, { code: 0, message: 'ok' }, { detail: 'queued', at: 3 }];

describe.each(kinds)('%s', (kind) => {
  test.each(errors)('%j in a stream is an error', async (error, fault) => {
    const body = `${begun[kind]}data: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`;
    expect((await inPieces(kind, [utf8(body)])).fault).toMatch(new RegExp(`^${fault}: `));
  });

  test('a state in a stream is none', async () => {
    const frames = states.map((state) => `data: ${JSON.stringify(state)}\n\n`).join('');
    const { fault } = await inPieces(kind, [utf8(begun[kind] + frames)]);
    expect(fault).toBe('cut: The answer was interrupted.');
  });

  test('an error in several lines outside of the frames is reported, and other text there is not', async () => {
    const error = JSON.stringify({ error: { message: 'prompt is too long' } }, null, 2);
    const read = async (text: string): Promise<string | undefined> =>
      (await inPieces(kind, [utf8(text)])).fault;
    expect(await read(`${begun[kind]}${error}\n`)).toMatch(/^context: /);
    const state = JSON.stringify({ queue: { position: 3 } }, null, 2);
    expect(await read(`${begun[kind]}${state}\n`)).toBe('cut: The answer was interrupted.');
    // PHP writes its notices before the frames.
    const notice = '<br />\n<b>Notice</b>: x\n';
    const failed = `data: ${JSON.stringify({ error: { message: 'prompt is too long' } })}\n\n`;
    expect(await read(`${notice}${begun[kind]}${failed}`)).toMatch(/^context: /);
  });

  test('JSON and web pages in place of a stream are read', async () => {
    const error = JSON.stringify({ error: { message: 'prompt is too long' } }, null, 2);
    expect((await inPieces(kind, [utf8(error)])).fault).toMatch(/^context: /);
    const page = '<!doctype html>\n<title>502</title>\n';
    expect((await inPieces(kind, [utf8(page)])).fault).toMatch(/answered with a web page/);
    const bare = '{"message":"Input is too long for requested model."}';
    expect((await inPieces(kind, [utf8(bare)])).fault).toMatch(/^context: /);
  });
});

test.each(['a', '<tool_call>{"name"', '<function=', 'functools[', 'Hello <thi'])(
  'held-back text arrives, and so does the error after it: %s',
  async (content) => {
    const error = { error: { message: 'prompt is too long' } };
    const frames = [{ choices: [{ index: 0, delta: { content } }] }, error, {}];
    const body = frames.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
    const read = await inPieces('openai-compatible', [utf8(body)]);
    expect(read).toMatchObject({
      text: content,
      fault: expect.stringMatching(/^context: /) as string,
    });
  },
);

test('an answer in JSON lines, in one object, with another end or numbers of Python is read', async () => {
  const piece = '{"choices":[{"index":0,"delta":{"content":"Hello"},"logprob":-Infinity}]}';
  const end = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}';
  const whole = { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] };
  for (const body of [
    `${piece.replace('-Infinity', '0')}\n${end}\n`,
    JSON.stringify(whole),
    JSON.stringify(whole, null, 2),
    `data: data: ${piece}\n\ndata: data: [DONE]\n\n`,
    `data: ${piece}\n\ndata: "[done]"\n\n`,
  ])
    for (const kind of ['openai-compatible', 'openai-chat'] as const)
      expect(await inPieces(kind, [utf8(body)])).toMatchObject({ text: 'Hello', finish: 'stop' });
});

test('an error in a choice is reported with its message', async () => {
  const error = { code: 502, message: 'Provider disconnected' };
  const choice = { index: 0, delta: { content: '' }, finish_reason: 'error', error };
  const body = `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
  const { fault } = await inPieces('openai-compatible', [utf8(body)]);
  expect(fault).toMatch(/^overloaded: .*Provider disconnected/);
});

test.each([
  [400, '{"error":{"message":"gemma does not support tools","type":"api_error"}}', 'request'],
  [403, '{"error":{"code":"insufficient_user_quota","message":"quota"}}', 'credit'],
  [403, '{"error":{"message":"Key limit exceeded (total limit)","code":403}}', 'credit'],
  [498, '{"error":{"message":"Flex","code":"capacity_exceeded"}}', 'overloaded'],
  [400, '{"error":{"error":{"message":"prompt is too long"}}}', 'context'],
  [400, '"prompt is too long"', 'context'],
  [400, '{"error_code":336007,"error_msg":"prompt is too long"}', 'context'],
])('%i %s is %s', (status, body, fault) => {
  expect(faultOf(parseProviderError(status, body))).toBe(fault);
});

test.each([
  ['5', 5000],
  ['5s', 5000],
  ['1m30s', 90_000],
  ['', null],
  ['-1', null],
  ['Infinity', null],
  // Points in time, in seconds or milliseconds, are not delays of 56 years.
  ['1767225610', 10_000],
  ['1767225610000', 10_000],
  // The clock here is ahead.
  ['1767225590', null],
  ['Wed, 31 Dec 2025 23:59:50 GMT', null],
  ['0', null],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
])('Retry-After: %s', (after, ms) => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  for (const fault of ['rate-limit', 'overloaded'] as const)
    expect(retryAfterMs(fault, new Headers({ 'retry-after': after }), '', now)).toBe(ms);
});

test.each([
  [{ 'x-ratelimit-reset': '1767225610' }, '', 10_000],
  // OpenRouter repeats its headers in the body.
  [{}, '{"error":{"metadata":{"headers":{"X-RateLimit-Reset":"1767225642000"}}}}', 42_000],
  [{}, '{"error":{"metadata":{"headers":{"X-RateLimit-Reset": 1767225642}}}}', 42_000],
  [{ 'retry-after': '3' }, '{"X-RateLimit-Reset":"1767225642000"}', 3000],
  [{}, '{"x-ratelimit-reset":"60"}', null],
  [{ 'x-ratelimit-reset': '1767225590' }, '', null],
  [{ 'retry-after': '0', 'x-ratelimit-reset': '1767225610' }, '', 10_000],
  // Another limit was reached.
  [{ 'x-ratelimit-reset': '1767225610', 'x-ratelimit-remaining': '7' }, '', null],
  [{ 'x-ratelimit-reset': '1767225610', 'x-ratelimit-remaining': '0' }, '', 10_000],
  [{}, '{"X-RateLimit-Remaining":"7","X-RateLimit-Reset":"1767225642000"}', null],
])('a limit ends at the time that the provider says: %o %s', (headers, body, ms) => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const given = new Headers(headers);
  expect(retryAfterMs('rate-limit', given, body, now)).toBe(ms);
});

test('the end of a limit does not delay the retry after another error', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const reset = '1767226800';
  const headers = new Headers({ 'x-ratelimit-reset': reset });
  for (const status of [500, 502, 503, 529]) {
    const fault = faultOf(parseProviderError(status, ''));
    expect(retryAfterMs(fault, headers, `{"X-RateLimit-Reset":"${reset}"}`, now)).toBeNull();
  }
});

test.each([
  ['Please retry after 5000 milliseconds', 5000],
  ['Please wait 30s before retrying', 30_000],
  ['try again in about 2 minutes', 120_000],
  ['resets in 1 day 2 hours', 93_600_000],
  ['{"retry_after": 5}', 5000],
  ['{"retry_after_ms":"20"}', 20],
  ['{"retry_after":"2026-01-01T00:00:10Z"}', null],
  ['try again in a few minutes', null],
])('the delay in %s', (text, ms) => {
  expect(parseRetryDelay(text)).toBe(ms);
});
