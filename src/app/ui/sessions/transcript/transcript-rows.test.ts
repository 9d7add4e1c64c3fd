import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entry, StepEntry } from '../../../../agent/session/session-state.ts';
import { message, step } from '../sessions.fixture.ts';
import { goesOnFrom, rowOf, isShownBelow, TranscriptRows, type Row } from './transcript-rows.ts';

const at = 1_000;
const model: Entry = { n: 9, at, kind: 'model', model: { provider: 'p', model: 'm' } };
const text = { type: 'text', text: 'Yes.' } as const;

const transcriptRows = (entries: readonly Entry[], underWay: string | null): readonly Row[] =>
  new TranscriptRows().of(entries, underWay);

const kinds = (entries: readonly Entry[], underWay: string | null = null) =>
  transcriptRows(entries, underWay).map((row) =>
    row.kind === 'entry' ? row.entry.kind : row.kind,
  );

test('each turn is followed by its summary, and then by notes before the next turn', () => {
  const entries = [
    message(1, 'One?', 't1'),
    step(2, [text], 't1'),
    step(3, [text], 't1'),
    model,
    message(10, 'Two?', 't2'),
    step(11, [text], 't2'),
  ];
  expect(kinds(entries)).toEqual([
    'message',
    'step',
    'step',
    'turn',
    'model',
    'message',
    'step',
    'turn',
  ]);
  expect(transcriptRows(entries, null)[3]).toMatchObject({
    sum: {
      steps: 2,
      cost: 0.0082,
      ms: 4_300,
      usage: { input: 3_680, cached: 2_048, output: 424, reasoning: 128 },
    },
  });
});

test('a running turn has no summary', () => {
  expect(kinds([message(1, 'One?', 't1'), step(2, [text], 't1')], 't1')).toEqual([
    'message',
    'step',
  ]);
});

test('choices before the first message are not part of the transcript', () => {
  const before = { ...model, n: 1 };
  expect(kinds([before, message(2, 'One?', 't1')])).toEqual(['message']);
});

test('rows that are extended with their session equal rows that are created at once', () => {
  const number = fc.nat(4);
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, fc.boolean())), (changes) => {
      const rows = new TranscriptRows();
      let entries: readonly Entry[] = [];
      for (const [index, [kind, turn, isUnderWay]] of changes.entries()) {
        const id = `t${index < 8 ? turn % 2 : Math.floor(index / 4)}`;
        const last = entries.at(-1);
        const added: readonly Entry[] = [
          message(index, 'One?', id),
          step(index, [text], id),
          { ...model, n: index },
          { n: index, at, kind: 'turn-ended', end: 'lost', fault: null },
        ];
        const one = added[kind];
        // The last one has changed since.
        if (one === undefined && last !== undefined)
          entries = [...entries.slice(0, -1), { ...last }];
        else if (one !== undefined) entries = [...entries, one];
        const underWay = isUnderWay ? id : null;
        expect(rows.of(entries, underWay)).toEqual(transcriptRows(entries, underWay));
      }
      expect(rows.of(entries, null)).toEqual(transcriptRows(entries, null));
    }),
  );
});

test('only rows of the latest turn are created again as a session grows', () => {
  const rows = new TranscriptRows();
  const turns = Array.from({ length: 3 }, (_, n) => [
    message(2 * n, 'One?', `t${n}`),
    step(2 * n + 1, [text], `t${n}`),
  ]).flat();
  const before = rows.of(turns, null);
  const after = rows.of([...turns, message(9, 'More?', 't3')], 't3');
  expect(before.map((row, index) => row === after[index])).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('an entry without a row is found by the entry before it', () => {
  const rows = transcriptRows([message(2, 'One?', 't1'), step(5, [text], 't1')], null);
  expect([1, 2, 4, 5, 99].map((n) => rowOf(rows, n))).toEqual([-1, 0, 0, 1, 1]);
});

test('a session continues from a turn that ended early, whatever notes follow it', () => {
  const ended: Entry = { n: 3, at, kind: 'turn-ended', end: 'lost', fault: null };
  const anew: Entry = { n: 4, at, kind: 'python-anew', why: 'reload' };
  const from = (entries: readonly Entry[]): number => goesOnFrom(transcriptRows(entries, null));
  const turn = [message(1, 'One?', 't1'), step(2, [text], 't1')];
  expect(from(turn)).toBe(-1);
  expect(from([...turn, anew])).toBe(-1);
  expect(from([...turn, ended])).toBe(2);
  expect(from([...turn, ended, anew, model])).toBe(2);
  expect(from([...turn, ended, message(5, 'Two?', 't2')])).toBe(4);
});

test('the reason of a failed step is shown at the end of its turn, unless it was retried', () => {
  const fault = { fault: 'network', message: 'No answer.', hint: 'Try again.' } as const;
  const failed: StepEntry = { ...step(2, [], 't1'), finish: 'cut', fault };
  const ended: Entry = { n: 4, at, kind: 'turn-ended', end: 'failed', fault };
  expect(isShownBelow([failed, ended], failed)).toBe(true);
  expect(isShownBelow([failed, step(3, [text], 't1'), ended], failed)).toBe(false);
  expect(isShownBelow([failed, { ...ended, end: 'stopped', fault: null }], failed)).toBe(false);
  expect(isShownBelow([failed], failed)).toBe(false);
});

const fault = { fault: 'network', message: 'No answer.', hint: 'Try again.' } as const;
const tried = (n: number): StepEntry => ({ ...step(n, [], 't1'), finish: 'cut', fault });
const failedTurn = (n: number): Entry => ({ n, at, kind: 'turn-ended', end: 'failed', fault });

test('failed attempts share one row, which does not repeat the reason below it', () => {
  const asked = message(1, 'One?', 't1');
  const tries = (entries: readonly Entry[]) =>
    transcriptRows(entries, null).flatMap((row) => (row.kind === 'tries' ? [row.tries] : []));
  const three = [tried(2), tried(3), tried(4)];
  expect(kinds([asked, tried(2), failedTurn(3)])).toEqual(['message', 'turn-ended']);
  expect(kinds([asked, ...three, failedTurn(5)])).toEqual(['message', 'tries', 'turn-ended']);
  // Failed tries do not count as steps either.
  const sums = transcriptRows([asked, ...three, step(5, [text], 't1')], null);
  expect(sums.at(-1)).toMatchObject({ kind: 'turn', sum: { steps: 1 } });
  expect(tries([asked, ...three, failedTurn(5)])).toEqual([{ count: 3, ms: 4_300, fault: null }]);
  expect(tries([asked, tried(2), step(3, [text], 't1')])).toEqual([{ count: 1, ms: 2_300, fault }]);
});

test('a stopped turn lasts until it was stopped, and the duration of a lost turn is unknown', () => {
  const ms = (end: 'stopped' | 'lost'): unknown => {
    const turn = [message(1, 'One?', 't1'), step(2, [text], 't1')];
    const until = turn[0]!.at + 60_000;
    const ended: Entry = { n: 3, at: until, kind: 'turn-ended', end, fault: null };
    return transcriptRows([...turn, ended], null).flatMap((row) =>
      row.kind === 'turn' ? [row.sum.ms] : [],
    );
  };
  expect([ms('stopped'), ms('lost')]).toEqual([[60_000], [null]]);
});
