import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint, type Scripted } from '../../../../tests/support/model-endpoint.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';
import { asker, hello, kinds, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

type More = Parameters<typeof asker>[2];

/** The parts that arrived, and the error. */
async function reported(
  kind: (typeof kinds)[number],
  scripted: Scripted,
  more: More = {},
): Promise<{ text: string; ended: boolean; thrown: unknown }> {
  endpoint.answer(scripted);
  const ask = await asker(kind, endpoint.url, more);
  const parts: ModelPart[] = [];
  const thrown: unknown = await (async () => {
    for await (const part of ask(new AbortController().signal, hello)) parts.push(part);
    return null;
  })().catch((error: unknown) => error);
  const text = parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');
  return { text, ended: parts.some(({ type }) => type === 'ended'), thrown };
}

const text = 'A sentence that is long enough to break off in the middle of it.';
/** Events before the fault, so that part of the text has arrived. */
const after = 6;
const begun = expect.stringMatching(/^A sente/) as string;

for (const kind of kinds) {
  for (const trouble of ['cut', 'end'] as const)
    test(`${kind}: a stream that ${trouble === 'cut' ? 'breaks' : 'ends too early'} is reported as cut`, async () => {
      const { thrown, ...rest } = await reported(kind, { text, trouble: { after, kind: trouble } });
      expect(rest).toEqual({ text: begun, ended: false });
      expect(thrown).toMatchObject({
        name: 'ModelError',
        fault: 'cut',
        message: 'The answer was interrupted.',
      });
    });

  test(`${kind}: a stream of invalid data is reported as no answer`, async () => {
    const { thrown, ended } = await reported(kind, { text, trouble: { after, kind: 'garbage' } });
    expect(ended).toBe(false);
    expect(thrown).toMatchObject({
      name: 'ModelError',
      fault: 'answer',
      message: 'The endpoint sent an invalid answer.',
    });
  });

  test(`${kind}: an error within the stream is classified`, async () => {
    const { thrown, ended } = await reported(kind, {
      text,
      trouble: { after, kind: { message: 'Overloaded' } },
    });
    expect(ended).toBe(false);
    expect(thrown).toMatchObject({ name: 'ModelError', fault: 'overloaded' });
    expect((thrown as Error).message).toMatch(/^The endpoint is overloaded.*: Overloaded$/);
  });

  test(`${kind}: an error at the beginning of the stream is classified`, async () => {
    const { thrown } = await reported(kind, {
      text,
      trouble: { after: 0, kind: { message: 'Overloaded' } },
    });
    expect(thrown).toMatchObject({ name: 'ModelError', fault: 'overloaded' });
  });

  test(`${kind}: a server that never answers times out`, async () => {
    const { thrown } = await reported(kind, 'hang', { limits: { modelFirstMs: 500 } });
    expect(thrown).toMatchObject({
      name: 'ModelError',
      fault: 'network',
      message: 'The endpoint accepted the request but has not answered for 0.5 seconds.',
    });
  });

  test(`${kind}: a stream that falls silent is reported as cut`, async () => {
    const { thrown, ...rest } = await reported(
      kind,
      { text, trouble: { after, kind: 'hang' } },
      { limits: { modelIdleMs: 500 } },
    );
    expect(rest).toEqual({ text: begun, ended: false });
    expect(thrown).toMatchObject({
      name: 'ModelError',
      fault: 'cut',
      message: 'The answer stopped: no data for 0.5 seconds.',
    });
  });

  test(`${kind}: an endless answer is not read to its end`, async () => {
    const { thrown } = await reported(kind, { text }, { limits: { modelAnswerBytes: 700 } });
    expect(thrown).toMatchObject({ name: 'ModelError', fault: 'answer' });
  });

  test(`${kind}: an abort within the stream rejects with its reason, and ends the request`, async () => {
    endpoint.answer({ text, paceMs: 20 });
    const ask = await asker(kind, endpoint.url);
    const stop = new AbortController();
    const reason = new Error('stopped by the user');
    const seen: string[] = [];
    const thrown: unknown = await (async () => {
      for await (const part of ask(stop.signal, hello)) {
        seen.push(part.type);
        if (part.type === 'text') stop.abort(reason);
      }
    })().catch((error: unknown) => error);
    expect(thrown).toBe(reason);
    expect(seen).not.toContain('ended');
  });

  test(`${kind}: an abort before the answer rejects with its reason, and ends the request`, async () => {
    endpoint.answer('hang');
    const ask = await asker(kind, endpoint.url);
    const reason = new Error('stopped by the user');
    const stop = new AbortController();
    const first = partsOf(ask, hello, stop.signal).catch((error: unknown) => error);
    await expect.poll(() => endpoint.requests.length).toBe(1);
    stop.abort(reason);
    expect(await first).toBe(reason);
  });

  test(`${kind}: a web page in place of an answer is refused`, async () => {
    const page = { status: 200, body: '<html><body>Welcome!</body></html>' };
    const { thrown } = await reported(kind, page);
    expect(thrown).toMatchObject({
      name: 'ModelError',
      fault: 'answer',
      message: 'The endpoint answered with a web page.',
    });
  });

  test(`${kind}: an answer that ends at its maximum length or by a filter says so`, async () => {
    const finishes: unknown[] = [];
    for (const finish of ['length', 'filtered'] as const) {
      endpoint.answer({ text, finish });
      const ask = await asker(kind, endpoint.url);
      for await (const part of ask(new AbortController().signal, hello))
        if (part.type === 'ended') finishes.push(part.finish);
    }
    expect(finishes).toEqual(['length', 'filtered']);
  });
}
