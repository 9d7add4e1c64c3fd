import { describe, expect, test } from 'vitest';
import { fakeResult } from './api-deps.fixture.ts';
import { ask, setUp } from './asking.fixture.ts';

describe('before a call starts', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a text', '"{}"'],
    ['arguments that are a list', '{"arguments": []}'],
    ['arguments that are null', '{"arguments": null}'],
    ['arguments with NaN', '{"arguments": {"a": NaN}}'],
    ['a session that is a number', '{"session": 1}'],
    ['validate that is a text', '{"validate": "no"}'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['half of a character', new Uint8Array([0x7b, 0x7d, 0xc3])],
  ])('%s is refused with 400', async (_what, body) => {
    const { deps, api } = setUp();
    const response = await ask(api, body);
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'bad-request' }]);
    expect([deps.calls, deps.timers]).toEqual([[], 0]);
  });

  test('a body over the limit is refused with 413', async () => {
    const { deps, api } = setUp();
    expect((await ask(api, `{"a":"${'x'.repeat(992)}"}`)).status).toBe(200);
    expect((await ask(api, `{"a":"${'x'.repeat(993)}"}`)).status).toBe(413);
    expect((await ask(api, `{"a":"${'ü'.repeat(600)}"}`)).status).toBe(413);
    expect(deps.calls).toHaveLength(1);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/jsonx',
    'application/json; charset=utf-16',
  ])('a body of type %s is refused with 415', async (type) => {
    const { deps, api } = setUp();
    const response = await ask(api, '{}', { 'Content-Type': type });
    expect([response.status, deps.calls]).toEqual([415, []]);
  });

  test('a body without a Content-Type is refused with 415', async () => {
    const { api } = setUp();
    const request = new Request('https://cloche.test/', {
      method: 'POST',
      body: new Uint8Array([123, 125]),
    });
    expect((await api.handle(request, 'tools/a:one/invoke')).status).toBe(415);
  });

  test.each(['application/json;charset=utf-8', 'Application/JSON ; charset="UTF-8"'])(
    'a body of type %s is accepted',
    async (type) => {
      const { api } = setUp();
      expect((await ask(api, '{}', { 'Content-Type': type })).status).toBe(200);
    },
  );

  test.each([
    ['text/html', 'problem+json'],
    ['application/json;q=0', 'problem+json'],
    ['', 'json'],
    ['application/*', 'json'],
    ['*/*', 'json'],
    ['text/html, */*;q=0.1', 'json'],
    ['text/event-stream;q=0.5, application/json', 'json'],
    ['application/json, text/event-stream', 'json'],
    ['text/event-stream;q=0, */*', 'json'],
    ['text/event-stream', 'event-stream'],
    ['Text/Event-Stream ; q=1.0', 'event-stream'],
    ['text/*', 'event-stream'],
    ['text/event-stream, */*', 'event-stream'],
    ['text/event-stream, application/json', 'event-stream'],
    ['text/event-stream, application/json;q=0.5', 'event-stream'],
  ])('a caller that accepts "%s" gets %s', async (accept, form) => {
    const { api } = setUp();
    const { status, headers } = await ask(api, '{}', { Accept: accept });
    const type = headers.get('Content-Type')?.replace(/.*\//, '');
    expect([status, type]).toEqual([form === 'problem+json' ? 406 : 200, form]);
  });

  test('the tool must exist', async () => {
    const { deps, api } = setUp();
    expect((await ask(api, '{}', {}, 'a:none')).status).toBe(404);
    expect(deps.calls).toEqual([]);
  });

  test('the session must exist and have the tool selected', async () => {
    const { deps, api } = setUp();
    deps.sessions.set('s1', ['a:one']);
    const outcomes = [];
    for (const [session, tool] of [
      ['s1', 'a:one'],
      ['s1', 'a:two'],
      ['s2', 'a:one'],
    ] as const) {
      outcomes.push((await ask(api, JSON.stringify({ session }), {}, tool)).status);
    }
    expect([outcomes, deps.calls.map(({ call }) => call.sessionId)]).toEqual([
      [200, 403, 404],
      ['s1'],
    ]);
  });

  test('a stored session that is not open is opened for the call, and released after it', async () => {
    const { deps, api } = setUp();
    deps.closedSessions.set('s3', ['a:one']);
    const answer = ask(api, '{"session": "s3"}');
    await expect.poll(() => deps.calls.length).toBe(1);
    expect(deps.isOpen('s3')).toBe(true);
    deps.calls[0]?.end(fakeResult('done'));
    expect(await (await answer).json()).toMatchObject({ textResultForLlm: 'done' });
    expect([deps.isOpen('s3'), deps.calls[0]?.call.sessionId]).toEqual([false, 's3']);
    // A refused call releases it too.
    expect((await ask(api, '{"session": "s3"}', {}, 'a:two')).status).toBe(403);
    expect(deps.isOpen('s3')).toBe(false);
  });

  test('a session of a folder that is not open is refused', async () => {
    const { deps, api } = setUp();
    deps.openSession = () => Promise.resolve({ at: 'other-folder', folder: 'elsewhere' });
    const response = await ask(api, '{"session": "s4"}');
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'other-folder' }]);
    expect(deps.calls).toEqual([]);
  });
});
