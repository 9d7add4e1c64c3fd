/** Calls whose page closes before they end. */

import { expect, test } from 'vitest';
import type { BegunCall } from '../spec/call.ts';
import { RunningCalls, type BegunIn, shortenCall, sizeOf } from './stored-calls.ts';
import { fakeLogged } from './logged-call.fixture.ts';

/** Several pages with one store. */
class Pages {
  readonly stored: BegunIn[] = [];
  readonly living = new Set<string>();
  readonly timers: (() => void)[] = [];
  readonly failures: unknown[] = [];
  readonly forgotten: string[] = [];
  /** The error of all following writes of running calls. */
  full: Error | null = null;
  isForgetting = true;

  open(own: string): RunningCalls {
    this.living.add(own);
    return new RunningCalls({
      store: {
        begin: (begun) => {
          if (this.full) return Promise.reject(this.full);
          this.stored.push(...begun);
          return Promise.resolve();
        },
        begun: () => Promise.resolve(this.stored),
      },
      pages: { own, living: () => Promise.resolve(this.living) },
      forget: (ids) => {
        if (!this.isForgetting) return Promise.reject(new Error('cannot delete'));
        this.forgotten.push(...ids);
        const kept = this.stored.filter(({ id }) => !ids.includes(id));
        this.stored.splice(0, Infinity, ...kept);
        return Promise.resolve();
      },
      after: (_ms, then) => this.timers.push(then),
      onFailure: (thrown) => this.failures.push(thrown),
    });
  }

  async pass(): Promise<void> {
    for (const then of this.timers.splice(0)) then();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function begun(n: number, key = '', args = '{}'): BegunCall {
  const { id, at, call, folder, folderId } = fakeLogged(n, {}, args);
  const rejoin = { key, fingerprint: 'f' };
  return { id, at, folder, folderId, call: key === '' ? call : { ...call, rejoin } };
}

test('a short call is not recorded, a long one is', async () => {
  const pages = new Pages();
  const calls = pages.open('a');
  expect([calls.begin(begun(1)), calls.begin(begun(2))]).toEqual([null, null]);
  expect(calls.end('call-1')).toBe(false);
  await pages.pass();
  expect(pages.stored.map(({ id, page }) => [id, page])).toEqual([['call-2', 'a']]);
  expect([calls.end('call-2'), calls.end('call-2'), pages.timers.length]).toEqual([true, false, 0]);
});

test('a call with a key is recorded before it runs', async () => {
  const pages = new Pages();
  await pages.open('a').begin(begun(1, 'k'));
  expect(pages.stored.map(({ id }) => id)).toEqual(['call-1']);
});

test('a call whose page was closed while it waited for approval has not run, and one that was approved may have', async () => {
  const pages = new Pages();
  const page = pages.open('a');
  for (const n of [1, 2, 3]) void page.begin(begun(n));
  for (const n of [1, 2]) void page.approving(`call-${n}`, 'waiting');
  await pages.pass();
  // The call must not run before the record says that it may have.
  const noted = page.approving('call-2', 'given');
  expect(noted).not.toBeNull();
  await noted;
  expect([page.approving('call-3', 'given'), page.approving('gone', 'waiting')]).toEqual([
    null,
    null,
  ]);
  pages.living.delete('a');
  const latest = new Map(pages.stored.map((one) => [one.id, one]));
  pages.stored.splice(0, Infinity, ...latest.values());
  const found = await pages.open('b').crashed();
  expect(found.map(({ id, result }) => [id, result.error])).toEqual([
    ['call-1', 'cancelled'],
    ['call-2', 'crashed'],
    ['call-3', 'crashed'],
  ]);
  expect(found[0]?.result.textResultForLlm).toBe(
    'The page was closed or reloaded before the call to weather:today was approved. It did not run.',
  );
  expect(found[0]).not.toHaveProperty('unapproved');
});

test('if the approval of a call cannot be recorded, no record says that the call did not run', async () => {
  const pages = new Pages();
  const page = pages.open('a');
  for (const n of [1, 2]) void page.begin(begun(n));
  for (const n of [1, 2]) void page.approving(`call-${n}`, 'waiting');
  await pages.pass();
  expect(pages.stored.map(({ unapproved }) => unapproved)).toEqual([true, true]);
  pages.full = new Error('full');
  await page.approving('call-1', 'given');
  expect([pages.forgotten, pages.failures]).toEqual([['call-1'], [pages.full]]);
  pages.living.delete('a');
  const found = await pages.open('b').crashed();
  expect(found.map(({ id, result }) => [id, result.error])).toEqual([['call-2', 'cancelled']]);
  expect([page.end('call-1'), page.end('call-2')]).toEqual([false, true]);
});

test('a record that could be neither replaced nor deleted is replaced later', async () => {
  const pages = new Pages();
  const page = pages.open('a');
  void page.begin(begun(1));
  void page.approving('call-1', 'waiting');
  await pages.pass();
  pages.full = new Error('full');
  pages.isForgetting = false;
  await page.approving('call-1', 'given');
  expect(String(pages.failures)).toBe('Error: full,Error: cannot delete');
  pages.full = null;
  void page.begin(begun(2));
  await pages.pass();
  expect(pages.stored.map(({ id, unapproved }) => [id, unapproved])).toEqual([
    ['call-1', true],
    ['call-1', undefined],
    ['call-2', undefined],
  ]);
  expect(page.end('call-1')).toBe(true);
});

test('a call that could not be recorded is recorded later, unless it has ended', async () => {
  const pages = new Pages();
  const page = pages.open('a');
  for (const n of [1, 2]) void page.begin(begun(n));
  pages.full = new Error('full');
  await pages.pass();
  expect(pages.failures).toEqual([pages.full]);
  expect(page.end('call-1')).toBe(false);
  pages.full = null;
  void page.begin(begun(3));
  await pages.pass();
  expect(pages.stored.map(({ id }) => id)).toEqual(['call-2', 'call-3']);
});

test('the record of a call that ends while it is stored is deleted', async () => {
  const pages = new Pages();
  const page = pages.open('a');
  const recorded = page.begin(begun(1, 'k'));
  // Only the wait for the open pages is over.
  await Promise.resolve();
  expect(page.end('call-1')).toBe(true);
  await recorded;
  expect(pages.stored.map(({ id }) => id)).toEqual(['call-1']);
});

test('calls of a closed page have crashed, those of an open one have not', async () => {
  const pages = new Pages();
  await pages.open('a').begin(begun(1, 'k'));
  const other = pages.open('b');
  await other.begin(begun(2, 'l'));
  expect(await other.crashed()).toEqual([]);
  pages.living.delete('a');
  const [crashed, ...others] = await other.crashed();
  expect(others).toEqual([]);
  expect(crashed).toMatchObject({
    ...begun(1, 'k'),
    cut: false,
    result: { resultType: 'failure', error: 'crashed', stateLost: true },
  });
  expect(crashed).not.toHaveProperty('page');
});

test('long arguments are shortened as in the log', async () => {
  const pages = new Pages();
  await pages.open('a').begin(begun(1, 'k', `{"a":"${'x'.repeat(2_000_000)}"}`));
  expect(pages.stored[0]?.call.arguments).toHaveLength(200_000);
});

test('a store that fails delays nothing', async () => {
  const failures: unknown[] = [];
  const calls = new RunningCalls({
    store: { begin: () => Promise.reject(new Error('full')), begun: () => Promise.resolve([]) },
    pages: { own: 'a', living: () => Promise.resolve(new Set(['a'])) },
    forget: () => Promise.reject(new Error('full')),
    after: () => undefined,
    onFailure: (thrown) => failures.push(thrown),
  });
  await calls.begin(begun(1, 'k'));
  expect(String(failures)).toBe('Error: full');
});

test('if pages cannot be told apart, nothing is recorded', async () => {
  const refuse = (): never => {
    throw new Error('asked');
  };
  const calls = new RunningCalls({
    store: { begin: refuse, begun: refuse },
    pages: null,
    forget: refuse,
    after: () => undefined,
    onFailure: refuse,
  });
  await calls.begin(begun(1, 'k'));
  expect(await calls.crashed()).toEqual([]);
});

const MB = 1_000_000;

test('a small call is stored as it is', () => {
  const entry = fakeLogged(1, { stdout: 'x'.repeat(400_000) });
  expect(shortenCall(entry)).toBe(entry);
});

test('everything that can be long counts', () => {
  const small = sizeOf(fakeLogged(1));
  const long = 'x'.repeat(10_000);
  const sizes = [
    sizeOf(fakeLogged(1, {}, long)),
    sizeOf(fakeLogged(1, { textResultForLlm: long })),
    sizeOf(fakeLogged(1, { stdout: long })),
    sizeOf(fakeLogged(1, { stderr: long })),
    sizeOf(fakeLogged(1, { metadata: long })),
    sizeOf(fakeLogged(1, { traceback: long })),
    sizeOf(fakeLogged(1, { error: long })),
    sizeOf(fakeLogged(1, { content: [{ type: 'text', text: long }] })),
    sizeOf(fakeLogged(1, { content: [{ type: 'image', mediaType: 'image/png', data: long }] })),
    sizeOf(fakeLogged(1, { updates: [{ n: 0, json: long }] })),
    sizeOf(fakeLogged(1, { log: [{ level: 'info', message: long }] })),
  ];
  expect(sizes.filter((size) => size < small + 9_900)).toEqual([]);
});

test.each([
  ['arguments', fakeLogged(1, {}, 'x'.repeat(10 * MB))],
  ['a text', fakeLogged(1, { textResultForLlm: 'x'.repeat(10 * MB) })],
  ['output', fakeLogged(1, { stdout: 'x'.repeat(MB), stderr: 'y'.repeat(MB) })],
  ['an error', fakeLogged(1, { error: 'x'.repeat(5 * MB), traceback: 'y'.repeat(5 * MB) })],
  ['metadata', fakeLogged(1, { metadata: JSON.stringify('x'.repeat(5 * MB)) })],
  [
    'many parts',
    fakeLogged(1, {
      content: Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'x' })),
    }),
  ],
  [
    'many updates',
    fakeLogged(1, { updates: Array.from({ length: 100_000 }, (_, n) => ({ n, json: '1' })) }),
  ],
  [
    'many lines',
    fakeLogged(1, { log: Array.from({ length: 100_000 }, () => ({ level: 'info', message: '' })) }),
  ],
])('%s too long: cut, and marked as cut', (_name, entry) => {
  const kept = shortenCall(entry);
  expect(kept.cut).toBe(true);
  expect(sizeOf(kept)).toBeLessThanOrEqual(MB + 1_000);
  expect([kept.id, kept.at, kept.folder, kept.call.tool]).toEqual([
    entry.id,
    entry.at,
    entry.folder,
    entry.call.tool,
  ]);
});

test('the end of a text is cut, and short texts stay complete', () => {
  const kept = shortenCall(
    fakeLogged(
      1,
      {
        textResultForLlm: `begin${'x'.repeat(5 * MB)}`,
        stdout: 'printed',
        error: 'ValueError: no',
      },
      '{"city":"Oslo"}',
    ),
  );
  expect(kept.call.arguments).toBe('{"city":"Oslo"}');
  expect([kept.result.stdout, kept.result.error]).toEqual(['printed', 'ValueError: no']);
  expect(kept.result.textResultForLlm).toHaveLength(200_000);
  expect(kept.result.textResultForLlm.startsWith('beginxxx')).toBe(true);
});

test('JSON texts and images are never stored incomplete', () => {
  const long = 'x'.repeat(2 * MB);
  const kept = shortenCall(
    fakeLogged(1, {
      metadata: JSON.stringify({ long }),
      content: [
        { type: 'json', text: JSON.stringify(long) },
        { type: 'image', mediaType: 'image/png', data: long },
        { type: 'json', text: '{"small":true}' },
        { type: 'image', mediaType: 'image/png', data: 'AAAA' },
      ],
      updates: [
        { n: 0, json: JSON.stringify(long) },
        { n: 1, json: '"small"' },
      ],
    }),
  );
  expect(kept.result.metadata).toBe('{}');
  expect(
    kept.result.content.map((part) => [part.type, 'text' in part ? part.text.length : part.data]),
  ).toEqual([
    ['text', 100_000],
    ['text', '(image/png, too large for the log)'.length],
    ['json', '{"small":true}'.length],
    ['image', 'AAAA'],
  ]);
  expect(kept.result.updates).toEqual([{ n: 1, json: '"small"' }]);
});
