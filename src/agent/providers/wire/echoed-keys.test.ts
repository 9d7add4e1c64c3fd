/** Threat 47: a provider that repeats the key, or the value of a header, in its answers. */

import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import { defaultLimits } from '../../../runtime/spec/limits.ts';
import type { ModelPart } from '../../../runtime/spec/model.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import { loadAdapter } from './load-adapter.ts';
import { askModel } from './ask-model.ts';
import { accessTo, bareNetwork, hello, kinds, partsOf, refOf } from './endpoint.fixture.ts';
import { ExchangeRecorder } from './exchange-recorder.ts';
import { removeSecrets } from './access.ts';
import { answerMask } from './answer-mask.ts';
import { KnownVariants } from './known-variants.ts';
import { listModels } from './list-models.ts';
import { maskParts } from './masked-parts.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const key = 'sk-Rep3at/ed+by_the-Server';
const header = 'tenant 7Qx-Zp/99';
const basic = `Basic ${Buffer.from('somebody:pass-Word/12').toString('base64')}`;
const headers = [
  ['x-tenant', header],
  ['x-other', basic],
] as const;
const secrets = [key, header, 'pass-Word/12'];

const hex = (text: string): string => Buffer.from(text).toString('hex');
const escaped = (text: string, one: (code: string) => string): string =>
  Array.from(Buffer.from(text), (code) => one(code.toString(16).padStart(2, '0'))).join('');

const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  reversed: (text) => Array.from(text).toReversed().join(''),
  base64: (text) => Buffer.from(`a:${text}`).toString('base64'),
  'base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: hex,
  URL: (text) => encodeURIComponent(text),
  'URL, each byte, twice': (text) => encodeURIComponent(escaped(text, (code) => `%${code}`)),
  JSON: (text) => text.replaceAll('/', '\\/'),
  'JSON in JSON': (text) => JSON.stringify(escaped(text, (code) => `\\u00${code}`)),
  HTML: (text) => escaped(text, (code) => `&#x${code};`),
};

/** The whole answer as it is shown and stored, in joined and in separate pieces. */
function shown(parts: readonly ModelPart[]): string {
  const texts = new Map<string, string>();
  for (const part of parts)
    if ('delta' in part) texts.set(part.id, (texts.get(part.id) ?? '') + part.delta);
  return `${[...texts.values()].join(' | ')} ${JSON.stringify(parts)}`;
}

/** Remains of each secret in a text: runs of six characters of its encoding. */
function remains(text: string, encode: (text: string) => string): string[] {
  const runs = secrets.flatMap((secret) => {
    const whole = encode(secret);
    return Array.from({ length: Math.max(0, whole.length - 11) }, (_, at) =>
      whole.slice(at, at + 12),
    );
  });
  return runs.filter(
    (run) => text.includes(run) || text.includes(JSON.stringify(run).slice(1, -1)),
  );
}

for (const kind of kinds)
  test.for(Object.entries(encodings))(
    `${kind}: a key that comes back as %s is masked in text, reasoning, arguments and the trace`,
    async ([, encode]) => {
      const echo = secrets.map(encode).join(' and ');
      const args = JSON.stringify({ text: echo });
      endpoint.answer({
        text: `It is ${echo}. Done.`,
        reasoning: `Because of ${echo}.`,
        calls: [{ name: 'files__read', arguments: args }],
      });
      const access = { ...accessTo(kind, endpoint.url), key, headers };
      const recorder = new ExchangeRecorder(access);
      const tools = [
        { name: 'files__read', description: 'Reads.', parameters: { type: 'object' } },
      ];
      const ask = askModel(
        ...([await loadAdapter(kind), access, refOf(kind), bareNetwork, defaultLimits] as const),
        ...([new KnownVariants(() => 0), recorder] as const),
      );
      const parts = await partsOf(ask, { ...hello, tools });
      const all = shown(parts);
      expect(remains(all, encode)).toEqual([]);
      // Control: the rest of the text has arrived, with the stars.
      expect(all).toMatch(/It is [^|]*\*{8}[^|]*\. Done\./);
      const call = parts.find(({ type }) => type === 'call');
      expect(JSON.parse(call?.type === 'call' ? call.arguments : '')).toEqual({
        text: expect.stringMatching(/\*{8}/) as string,
      });
      expect(remains(JSON.stringify(recorder.exchanges), encode)).toEqual([]);
    },
  );

test.for(Object.entries(encodings))(
  'a key that comes back as %s in an error, or in a list of models, is masked',
  async ([, encode]) => {
    const access = { ...accessTo('openai-compatible', endpoint.url), key, headers };
    const message = `The key ${secrets.map(encode).join(', ')} is unknown.`;
    endpoint.answer(
      { status: 401, error: { message } },
      { status: 400, body: message },
      { text: 'So', trouble: { after: 1, kind: { message } } },
    );
    const adapter = await loadAdapter('openai-compatible');
    const ask = askModel(
      ...([adapter, access, refOf('openai-compatible'), bareNetwork, defaultLimits] as const),
      new KnownVariants(() => 0),
    );
    for (let n = 0; n < 3; n += 1) {
      const thrown: unknown = await partsOf(ask).catch((error: unknown) => error);
      if (!(thrown instanceof ModelError)) throw new Error(String(thrown));
      expect(thrown.message).toMatch(/The key .*(\*{8}|\[secret\])/);
      expect(remains(thrown.message, encode)).toEqual([]);
    }
    // Longer names are no models.
    const id = encode(key).length < 150 ? encode(key) : encodeURIComponent(key);
    endpoint.habits.models = [{ id: `m-${id}` }];
    const listed = await listModels(
      ...([new AbortController().signal, access, bareNetwork, defaultLimits] as const),
    );
    expect(listed).toHaveLength(1);
    expect(remains(JSON.stringify(listed), encode)).toEqual([]);
    expect(JSON.stringify(listed)).toContain('********');
  },
);

test('a key in pieces of any length is masked, and what only begins like it arrives', async () => {
  const mask = answerMask({ ...accessTo('anthropic', endpoint.url), key });
  if (mask === null) throw new Error('There is no mask.');
  const text = `sk-Rep, then ${key}, ${encodeURIComponent(key)} and “é” sk-Rep3`;
  for (const length of [1, 2, 5, 100]) {
    async function* pieces(): AsyncGenerator<ModelPart> {
      for (let at = 0; at < text.length; at += length)
        for (const type of ['text', 'reasoning'] as const)
          yield { type, id: type, delta: text.slice(at, at + length) };
      yield await Promise.resolve({ type: 'part-ended', id: 'text' });
      yield { type: 'ended', finish: 'stop', usage: { ...noUsage } };
    }
    const parts: ModelPart[] = [];
    for await (const part of maskParts(pieces(), mask)) parts.push(part);
    for (const type of ['text', 'reasoning'])
      expect(
        parts.map((part) => (part.type === type && 'delta' in part ? part.delta : '')).join(''),
      ).toBe(`sk-Rep, then ${'*'.repeat(26)}, ${'*'.repeat(30)} and “é” sk-Rep3`);
    expect(parts.slice(-2).map(({ type }) => type)).toContain('ended');
  }
});

test.for(Object.entries(encodings))(
  'an answer that breaks off within a key, as %s, is kept without it',
  async ([, encode]) => {
    const mask = answerMask({ ...accessTo('anthropic', endpoint.url), key });
    if (mask === null) throw new Error('There is no mask.');
    const sent = encode(key);
    const text = `It is ${sent.slice(0, Math.floor(sent.length * 0.8))}`;
    for (const end of ['error', 'length', 'part', 'call']) {
      async function* pieces(): AsyncGenerator<ModelPart> {
        for (const delta of text) {
          yield await Promise.resolve({ type: 'text', id: 'a', delta });
          yield { type: 'reasoning', id: 'b', delta };
          yield { type: 'call-delta', id: 'c', wire: 'f', delta };
        }
        if (end === 'error') throw new Error('cut');
        if (end === 'call') yield { type: 'call', id: 'c', wire: 'f', arguments: text };
        if (end === 'part') for (const id of ['a', 'b']) yield { type: 'part-ended', id, data: {} };
        yield { type: 'ended', finish: 'length', usage: { ...noUsage } };
      }
      const parts: ModelPart[] = [];
      const thrown = await (async () => {
        for await (const part of maskParts(pieces(), mask)) parts.push(part);
      })().catch(String);
      expect(thrown).toBe(end === 'error' ? 'Error: cut' : undefined);
      const said = new Map<string, string>();
      for (const part of parts)
        if (part.type === 'call') said.set(part.id, part.arguments);
        else if ('delta' in part) said.set(part.id, (said.get(part.id) ?? '') + part.delta);
      expect([...said.keys()].toSorted()).toEqual(['a', 'b', 'c']);
      for (const one of said.values()) {
        expect(one).toMatch(/^It is .*\*{8}$/);
        expect(one).toHaveLength(text.length);
      }
      expect(remains(JSON.stringify(parts), encode)).toEqual([]);
    }
  },
);

test('a message that breaks off within an encoded key is shown without it', () => {
  for (const encode of Object.values(encodings)) {
    const sent = encode(key);
    const text = `It is ${sent.slice(0, Math.floor(sent.length * 0.8))}`;
    expect(removeSecrets(text, [key])).toMatch(/^It is .*(\*{8}|\[secret\])$/);
  }
});

test('a key in the id of a call is masked, in the same way in all parts of the call', async () => {
  const mask = answerMask({ ...accessTo('openai-compatible', endpoint.url), key });
  if (mask === null) throw new Error('There is no mask.');
  const id = `call_${key}`;
  async function* sent(): AsyncGenerator<ModelPart> {
    yield await Promise.resolve({ type: 'call-delta', id, wire: 'read', delta: '' });
    yield { type: 'call-delta', id, wire: 'read', delta: '{}' };
    yield { type: 'call', id, wire: 'read', arguments: '{}' };
  }
  const ids = new Set<string>();
  for await (const part of maskParts(sent(), mask)) if ('id' in part) ids.add(part.id);
  expect([...ids]).toEqual([`call_${'*'.repeat(key.length)}`]);
});

const noUsage = { input: null, cached: null, output: null, reasoning: null };

test('a key in frames of which each has a part is not recorded', () => {
  const recorder = new ExchangeRecorder({ key, headers: [] });
  const frame = (said: object): string => `data: ${JSON.stringify({ n: 1, delta: said })}\n\n`;
  const one = recorder.begin({ method: 'POST', url: 'https://m.example', headers: [], body: null });
  for (const piece of key.match(/.{1,4}/g) ?? []) one.received(frame({ unknown: [piece] }));
  expect(recorder.exchanges[0]).toMatchObject({
    received: 'Not recorded: this answer repeats your key in several pieces.',
    cut: true,
  });
  const other = new ExchangeRecorder({ key, headers: [] });
  const two = other.begin({ method: 'POST', url: 'https://m.example', headers: [], body: null });
  two.received(frame({ text: key.slice(0, 7) }) + frame({ text: ' is how it begins' }));
  expect(other.exchanges[0]?.received).toContain('is how it begins');
});

test('headers that are no credentials, and keys that are none, are not masked', () => {
  const access = accessTo('openai-compatible', endpoint.url);
  const ordinary = [
    ['x-title', 'Research'],
    ['anthropic-beta', 'files-api-2025'],
  ] as const;
  for (const said of ['lm-studio', 'not-needed', 'short', ''])
    expect(answerMask({ ...access, key: said, headers: ordinary })).toBeNull();
  const mask = answerMask({ ...access, key: '', headers: [['x-api-key', 'Research']] });
  expect(mask?.text('Research')).toBe('********');
});

const plainHeaders = [
  ['x-portkey-provider', 'anthropic'],
  ['x-project', 'my-project'],
  ['x-anything', 'Research team'],
  ['x-model', 'claude-3-5-sonnet-20241022'],
  ['x-model', 'qwen3-235b-a22b-instruct-2507'],
  ['x-model', 'Meta-Llama-3.1-8B-Instruct'],
  ['x-model', 'mixtral-8x7b-instruct'],
  ['x-region', 'europe-west4'],
  ['x-version', 'v1beta1'],
  ['x-auth-mode', 'personal'],
  ['x-max-tokens', 'unlimited'],
  ['x-author', 'somebody'],
  ['authorization', `Basic ${Buffer.from('username:pass-Word/12').toString('base64')}`],
] as const;

test('values of headers that are plain words change no model and no arguments', async () => {
  const words = [...plainHeaders.slice(0, -1).map(([, value]) => value), 'username'];
  const access = { ...accessTo('openai-compatible', endpoint.url), key: '', headers: plainHeaders };
  endpoint.habits.models = words.map((word) => ({ id: `m/${word}` }));
  const listed = await listModels(
    ...([new AbortController().signal, access, bareNetwork, defaultLimits] as const),
  );
  expect(listed.map(({ id }) => id).toSorted()).toEqual(words.map((word) => `m/${word}`).sort());
  const args = JSON.stringify({ words, password: 'pass-Word/12' });
  endpoint.answer({ calls: [{ name: 'files__read', arguments: args }] });
  const ask = askModel(
    ...([await loadAdapter('openai-compatible'), access, refOf('openai-compatible')] as const),
    ...([bareNetwork, defaultLimits, new KnownVariants(() => 0)] as const),
  );
  const call = (await partsOf(ask)).find(({ type }) => type === 'call');
  expect(JSON.parse(call?.type === 'call' ? call.arguments : '')).toEqual({
    words,
    password: '************',
  });
});

test.each([
  ['x-api-key', 'correcthorse'],
  ['apikey', 'correcthorse'],
  ['X-Auth-Token', 'correcthorse'],
  ['proxy-authorization', 'correcthorse'],
  ['x-goog-api-key', 'correcthorse'],
  ['cf-access-client-secret', 'correcthorse'],
  ['x-session-id', 'correcthorse'],
  ['x-portkey-virtual-key', 'correcthorse'],
  ['x-anything', 'Bearer correcthorse'],
  ['x-anything', 'abc123def456'],
  ['x-anything', '550e8400-e29b-41d4-a716-446655440000'],
  ['x-anything', 'org-AbC9dEf2gHi'],
  ['x-anything', 'tenantkey12345678'],
])('the secret in %s: %s is masked', (name, value) => {
  const mask = answerMask({
    ...accessTo('openai-compatible', endpoint.url),
    key: '',
    headers: [[name, value]],
  });
  const secret = value.replace('Bearer ', '');
  expect(mask?.text(`It is ${secret}.`)).toBe(`It is ${'*'.repeat(secret.length)}.`);
});

test('characters in two pieces stay whole, and the first half at the end is not lost', async () => {
  const mask = answerMask({ ...accessTo('anthropic', endpoint.url), key });
  if (mask === null) throw new Error('There is no mask.');
  const text = `🙂 a 👩‍👧 ${key}🙂 \ud83d`;
  async function* pieces(): AsyncGenerator<ModelPart> {
    for (const type of ['text', 'reasoning', 'call-delta'] as const)
      for (const delta of text.split(''))
        yield await Promise.resolve(
          type === 'call-delta' ? { type, id: 'c', wire: 'f', delta } : { type, id: type, delta },
        );
    yield { type: 'ended', finish: 'stop', usage: { ...noUsage } };
  }
  const said = new Map<string, string>();
  for await (const part of maskParts(pieces(), mask))
    if ('delta' in part) said.set(part.type, (said.get(part.type) ?? '') + part.delta);
  const whole = `🙂 a 👩‍👧 ${'*'.repeat(key.length)}🙂 \ud83d`;
  expect([...said]).toEqual(['text', 'reasoning', 'call-delta'].map((type) => [type, whole]));
});

test('data that has the key, or signs a text that had it, is not kept; Cloche’s own is', async () => {
  const mask = answerMask({ ...accessTo('anthropic', endpoint.url), key });
  if (mask === null) throw new Error('There is no mask.');
  const cloche = { field: 'reasoning' };
  const details = (text: string) => ({
    answer: { openaiCompatible: { reasoning_details: [text] } },
  });
  const signed = { anthropic: { signature: 'S' } };
  const encrypted = { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'E' } };
  async function* parts(): AsyncGenerator<ModelPart> {
    for (const [id, text, data] of [
      ['signed', key, signed],
      ['signed, without a key', 'Hm.', signed],
      ['encrypted', key, encrypted],
      ['own', key, { cloche }],
    ] as const) {
      yield await Promise.resolve({ type: 'reasoning', id, delta: `I have ${text}` });
      yield { type: 'part-ended', id, data };
    }
    yield { type: 'part-ended', id: 'details', data: { ...details(btoa(key)), cloche } };
    yield { type: 'part-ended', id: 'details, without a key', data: details('Hm.') };
    const call = { type: 'call', wire: 'f', arguments: '{}' } as const;
    yield { ...call, id: 'a', data: { google: { thoughtSignature: key } } };
    yield { ...call, id: 'b', data: { google: { thoughtSignature: 'S' } } };
  }
  const kept: unknown[] = [];
  for await (const part of maskParts(parts(), mask))
    if (part.type === 'part-ended' || part.type === 'call') kept.push([part.id, part.data]);
  expect(kept).toEqual([
    ['signed', undefined],
    ['signed, without a key', signed],
    ['encrypted', encrypted],
    ['own', { cloche }],
    ['details', { cloche }],
    ['details, without a key', details('Hm.')],
    ['a', undefined],
    ['b', { google: { thoughtSignature: 'S' } }],
  ]);
});
