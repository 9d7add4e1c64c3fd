import { describe, expect, test } from 'vitest';
import { ask as askOnce, getCall, only, setUp, settled } from './asking.fixture.ts';
import type { Api } from './create-api.ts';
import { fakeResult } from './api-deps.fixture.ts';
import { readEvents } from './read-events.fixture.ts';

const accept = { Accept: 'text/event-stream' };

function ask(api: Api, headers: Record<string, string> = {}): Promise<Response> {
  return askOnce(api, '{}', { ...accept, ...headers });
}

function updates(from: number, to: number): { n: number; json: string }[] {
  return Array.from({ length: to - from }, (_, at) => ({ n: from + at, json: String(from + at) }));
}

/** Reads the stream until nothing has arrived for a while. */
class Reading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #pending: Promise<Uint8Array | undefined> | undefined;

  constructor({ body }: Response) {
    this.#reader = body!.getReader();
  }

  async soFar(): Promise<string> {
    let text = '';
    for (;;) {
      this.#pending ??= this.#reader.read().then(({ value }) => value);
      const value = await Promise.race([this.#pending, settled().then(() => null)]);
      if (value === null) return text;
      this.#pending = undefined;
      if (value === undefined) return text;
      text += this.#decoder.decode(value, { stream: true });
    }
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}

describe('a call as events', () => {
  test('answers at once, streams output as it arrives, and ends with the result', async () => {
    const { deps, api } = setUp();
    const response = await ask(api);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      200,
      'text/event-stream',
    ]);
    const { stream, end } = only(deps);
    const text = response.text();
    await settled();
    stream({ updates: updates(0, 2), out: 'one\n', err: 'bad\n' });
    await settled();
    stream({ log: [{ level: 'info', message: 'half' }] });
    await settled();
    end(
      fakeResult('fine', {
        stdout: 'one\ntwo\n',
        stderr: 'bad\n',
        updates: updates(0, 3),
        log: [{ level: 'info', message: 'half' }],
      }),
    );
    const events = readEvents(await text);
    expect(events.map(({ name, id, data }) => [name, id, name === 'result' ? '' : data])).toEqual([
      ['call', '0-0-0-0', { callId: 'call-1', rest: 'api/calls/call-1' }],
      ['output', '0-4-0-0', { stream: 'stdout', text: 'one\n' }],
      ['output', '0-4-4-0', { stream: 'stderr', text: 'bad\n' }],
      ['update', '1-4-4-0', { n: 0, json: '0' }],
      ['update', '2-4-4-0', { n: 1, json: '1' }],
      ['log', '2-4-4-1', { level: 'info', message: 'half' }],
      // Output that had not been streamed when the call ended.
      ['output', '2-8-4-1', { stream: 'stdout', text: 'two\n' }],
      ['update', '3-8-4-1', { n: 2, json: '2' }],
      ['result', 'end', ''],
    ]);
    expect(events.at(-1)?.data).toMatchObject({ textResultForLlm: 'fine', state: 'ended' });
    expect(deps.timers).toBe(0);
  });

  test('is well formed, whatever the tool writes', async () => {
    const { deps, api } = setUp();
    const text = (await ask(api)).text();
    const hostile = 'a\r\n\r\nevent: result\rdata: {}\n\n\u2028\0';
    only(deps).stream({ out: hostile, updates: [{ n: 0, json: '"\n\ndata: 1"' }] });
    await settled();
    // White space between tokens comes from Python, or from a hostile worker.
    only(deps).end(fakeResult(hostile, { metadata: '{\n\n"a":\r\n\r[1]\r\r}' }));
    const events = readEvents(await text);
    expect(events.map(({ name }) => name)).toEqual(['call', 'output', 'update', 'result']);
    expect(events[1]?.data).toEqual({ stream: 'stdout', text: hostile });
    expect(events[3]?.data).toMatchObject({ textResultForLlm: hostile, metadata: { a: [1] } });
  });

  test('sends heartbeats while nothing happens', async () => {
    const { deps, api } = setUp();
    const reader = new Reading(await ask(api));
    await reader.soFar();
    deps.pass(15_000);
    expect(await reader.soFar()).toBe(': alive\n\n');
  });

  test('is cancelled when its reader disconnects, and leaves no timer', async () => {
    const { deps, api } = setUp();
    const response = await ask(api);
    const reader = new Reading(response);
    await reader.soFar();
    await reader.cancel();
    await settled();
    expect([only(deps).signal.aborted, deps.timers]).toEqual([true, 0]);
  });

  test('runs on after four minutes; the result is at api/calls', async () => {
    const { deps, api } = setUp();
    const text = (await ask(api)).text();
    await settled();
    deps.pass(4 * 60_000);
    expect(readEvents(await text).at(-1)).toEqual({
      name: 'running',
      id: '0-0-0-0',
      data: { callId: 'call-1', state: 'running', rest: 'api/calls/call-1' },
    });
    expect([only(deps).signal.aborted, deps.timers]).toEqual([false, 0]);
  });

  test('ends its response after four minutes even if it never stops streaming', async () => {
    const { deps, api } = setUp();
    const reader = new Reading(await ask(api));
    await reader.soFar();
    deps.pass(4 * 60_000);
    only(deps).stream({ updates: updates(0, 1) });
    expect(readEvents(await reader.soFar()).map(({ name }) => name)).toEqual(['running']);
  });

  test('skips events for a slow reader, and shows the gap in their numbers', async () => {
    const { deps, api } = setUp();
    const response = await ask(api);
    const { stream, end } = only(deps);
    for (let at = 0; at < 100_000; at += 200) stream({ updates: updates(at, at + 200) });
    end(fakeResult('', { updates: [...updates(0, 1_000), { n: 99_999, json: '99999' }] }));
    const events = readEvents(await response.text());
    const seen = events.filter(({ name }) => name === 'update');
    expect(seen.length).toBeLessThan(3_000);
    expect(seen.at(-1)?.data).toEqual({ n: 99_999, json: '99999' });
  });
});

describe('a reader can rejoin a stream of events', () => {
  const key = { 'Idempotency-Key': 'k1' };

  test('from the beginning, or from the position where the stream was cut', async () => {
    const { deps, api } = setUp();
    const first = new Reading(await ask(api, key));
    only(deps).stream({ updates: updates(0, 2), out: 'ab' });
    expect(readEvents(await first.soFar()).map(({ id }) => id)).toEqual([
      '0-0-0-0',
      '0-2-0-0',
      '1-2-0-0',
      '2-2-0-0',
    ]);
    const whole = (await ask(api, key)).text();
    const rest = (await ask(api, { ...key, 'Last-Event-ID': '1-2-0-0' })).text();
    await settled();
    await first.cancel();
    only(deps).stream({ updates: updates(2, 3) });
    await settled();
    only(deps).end(fakeResult('fine', { updates: updates(0, 3), stdout: 'ab' }));
    const names = async (text: Promise<string>): Promise<string[]> =>
      readEvents(await text).map(({ name, data }) =>
        name === 'update' ? `update ${(data as { n: number }).n}` : name,
      );
    expect(await names(whole)).toEqual([
      'call',
      'output',
      'update 0',
      'update 1',
      'update 2',
      'result',
    ]);
    expect(await names(rest)).toEqual(['call', 'update 1', 'update 2', 'result']);
    expect(deps.calls).toHaveLength(1);
  });

  test('after the end of the call, even if the first request asked for JSON', async () => {
    const { deps, api } = setUp();
    deps.onCall = ({ end }) => end(fakeResult('fine', { stdout: 'ab', updates: updates(0, 1) }));
    await (await askOnce(api, '{}', key)).text();
    const text = await (await ask(api, { ...key, 'Last-Event-ID': '0-1-0-0' })).text();
    expect(readEvents(text).map(({ name, data }) => [name, data])).toMatchObject([
      ['call', {}],
      ['output', { text: 'b' }],
      ['update', { n: 0 }],
      ['result', { textResultForLlm: 'fine' }],
    ]);
  });

  test('from the log, if the call is no longer in memory', async () => {
    const before = setUp();
    await ask(before.api, key);
    const { call } = only(before.deps);
    const { deps, api } = setUp();
    const result = fakeResult('kept', { stdout: 'printed' });
    deps.logged.set(call.id, {
      id: call.id,
      at: 1,
      call,
      result,
      folder: 'tools',
      folderId: '',
      cut: true,
    });
    const events = readEvents(await (await ask(api, key)).text());
    expect(events.map(({ name, data }) => [name, data])).toMatchObject([
      ['call', { callId: call.id }],
      ['output', { text: 'printed' }],
      ['result', { textResultForLlm: 'kept', cut: true }],
    ]);
    expect(await (await askOnce(api, '{}', key)).json()).toMatchObject({
      textResultForLlm: 'kept',
    });
    expect((await askOnce(api, '{ }', key)).status).toBe(422);
    expect(deps.calls).toEqual([]);
  });
});

describe('api/calls/{id} as events', () => {
  const get = (api: Api, id: string, headers: Record<string, string> = {}): Promise<Response> =>
    getCall(api, id, { ...accept, ...headers });

  test('only observes: it neither keeps the call running nor cancels it', async () => {
    const { deps, api } = setUp();
    const asked = await askOnce(api, '{}');
    only(deps).stream({ out: 'ab' });
    const watching = new Reading(await get(api, 'call-1'));
    expect(readEvents(await watching.soFar()).map(({ name }) => name)).toEqual(['call', 'output']);
    await watching.cancel();
    expect(only(deps).signal.aborted).toBe(false);
    await asked.body?.cancel();
    expect([only(deps).signal.aborted, deps.timers]).toEqual([true, 0]);
  });

  test('stops an EventSource that reconnects after the end', async () => {
    const { deps, api } = setUp();
    deps.onCall = ({ end }) => end(fakeResult('fine'));
    await (await askOnce(api, '{}')).text();
    const first = readEvents(await (await get(api, 'call-1')).text());
    expect(first.map(({ name }) => name)).toEqual(['call', 'result']);
    const again = await get(api, 'call-1', { 'Last-Event-ID': first.at(-1)?.id ?? '' });
    expect(again.status).toBe(204);
  });

  test('refuses other forms, and unknown calls', async () => {
    const { api } = setUp();
    expect((await getCall(api, 'none', { Accept: 'text/html' })).status).toBe(406);
    expect((await get(api, 'none')).status).toBe(404);
  });
});

describe('DELETE api/calls/{id}', () => {
  const cancel = (api: Api, id: string): Promise<Response> =>
    api.handle(new Request('https://cloche.test/', { method: 'DELETE' }), `calls/${id}`);

  test('cancels a running call for all of its callers', async () => {
    const { deps, api } = setUp();
    const asked = ask(api);
    await settled();
    const { status, body } = await cancel(api, 'call-1');
    expect([status, await new Response(body).json()]).toEqual([
      202,
      { callId: 'call-1', state: 'running', rest: 'api/calls/call-1' },
    ]);
    const events = readEvents(await (await asked).text());
    expect(events.at(-1)).toMatchObject({ name: 'result', data: { error: 'cancelled' } });
    expect(deps.running.size).toBe(0);
  });

  test('refuses a call that has ended or is unknown', async () => {
    const { deps, api } = setUp();
    deps.onCall = ({ end }) => end(fakeResult('fine'));
    await (await ask(api)).text();
    const ended = await cancel(api, 'call-1');
    expect([ended.status, await ended.json()]).toMatchObject([409, { code: 'call-ended' }]);
    expect((await cancel(api, 'none')).status).toBe(404);
  });
});
