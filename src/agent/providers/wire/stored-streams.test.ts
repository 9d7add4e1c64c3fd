import { readFileSync, readdirSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { HttpKind } from '../../../runtime/spec/model.ts';
import { inPieces, served, utf8, type Read } from './streams.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

const folder = 'tests/faults';
const files = readdirSync(folder).filter((name) => name.endsWith('.sse'));
const stream = (name: string): string => {
  const file = files.find((one) => one.startsWith(`${name}-`)) ?? '';
  return readFileSync(`${folder}/${file}`, 'utf8');
};

const hi = '{"text":"hi"}';
const chats = ['openai-compatible', 'openai-chat'] as const;
const expected: Readonly<Record<string, Partial<Read>>> = {
  '01a': { calls: [['sess:echo', hi]], finish: 'calls' },
  '02a': { calls: [['sess:echo', hi]], finish: 'calls' },
  '02b': { calls: [['sess:echo', hi, 'repeated']], finish: 'calls' },
  '03a': { text: 'ok then', finish: 'stop' },
  '03c': { text: 'ok then', finish: 'stop' },
  '04': {
    text: 'The answer is 391.',
    reasoning: 'First I reason about it.\nThen more reasoning.\n',
    finish: 'stop',
  },
  '09a': { calls: [['sess:echo', '{"text":"one"}']], finish: 'calls' },
  '09b': { calls: [['sess:echo', '{"text":"one"}']], finish: 'calls' },
  '10a': { text: 'Zero.', finish: 'stop' },
  '10b': { text: 'No delta usage.', finish: 'stop' },
  '10c': { text: 'All at start.', finish: 'stop' },
  '10d': { calls: [['sess:echo', hi]], finish: 'calls' },
  '11a': { calls: [['sess:echo', hi, 'double-encoded']], finish: 'calls' },
  '11b': { calls: [['sess:echo', '{"text":"line 1\\nline\\t2"}', 'characters']] },
  '11c': { calls: [['sess:echo', hi, 'empty-first']], finish: 'calls' },
  '11d': { calls: [['sess:now', '{}', 'null']], finish: 'calls' },
  '17': { text: 'I cannot', finish: 'stop' },
  '18': { calls: [['sess:echo', hi]], finish: 'calls' },
};

function kindsOf(name: string): readonly HttpKind[] {
  return name.startsWith('10') ? ['anthropic'] : chats;
}

describe('stored streams', () => {
  const cases = files.flatMap((file) => {
    const name = file.split('-')[0] ?? '';
    return kindsOf(name).map((kind) => [file, kind, name] as const);
  });

  test('every stored stream has an expected answer', () => {
    expect([...new Set(cases.map(([, , name]) => name))].sort()).toEqual(
      Object.keys(expected).sort(),
    );
  });

  test.each(cases)('%s (%s)', async (_, kind, name) => {
    expect(await served(endpoint, kind, stream(name))).toMatchObject(expected[name] ?? {});
  });

  test.each(cases)('%s (%s): in whatever pieces it arrives', async (_, kind, name) => {
    const lines = stream(name).replace('hi', 'hï 🙂');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(lines.length + 50), { maxLength: 20 }),
        async (lineEnd, cuts) => {
          const bytes = utf8(lines.replaceAll('\n', lineEnd));
          const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
          const pieces = at.map((from, index) => bytes.slice(from, at[index + 1]));
          const whole = await inPieces(kind, [utf8(lines)]);
          expect(await inPieces(kind, pieces)).toEqual(whole);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('every byte of a stream may arrive alone', async () => {
    for (const name of ['01a', '04', '10d']) {
      const [kind = 'anthropic'] = kindsOf(name);
      const bytes = utf8(stream(name).replaceAll('\n', '\r\n'));
      const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
      expect(await inPieces(kind, pieces)).toMatchObject(expected[name] ?? {});
    }
  });
});
