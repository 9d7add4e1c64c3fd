import { expect, test } from 'vitest';
import type { SessionHead } from '../../../../runtime/spec/session.ts';
import { headOf } from '../sessions.fixture.ts';
import { branchPoints, branchRow } from './branches.ts';

function fork(id: string, of: string | null, at?: number, createdAt = 0): SessionHead {
  const { forkAt: _, ...rest } = { ...headOf(id), forkOf: of, createdAt, forkAt: 0 };
  return at === undefined ? rest : { ...rest, forkAt: at };
}

const original = fork('original', null);
const later = fork('later', 'original', 7, 2);
const earlier = fork('earlier', 'original', 7, 1);
const other = fork('other', 'original', 3, 3);
const nested = fork('nested', 'later', 5);
const unknown = fork('unknown', 'original');
const all = [nested, later, other, earlier, original, unknown];

function seen(of: SessionHead, heads = all): unknown[] {
  return branchPoints(of, heads).map(({ after, branches, here }) => [
    after,
    branches.map(({ id }) => id),
    here,
  ]);
}

test('the original and its forks at one point are branches, oldest first', () => {
  expect(seen(original)).toEqual([
    [3, ['original', 'other'], 0],
    [7, ['original', 'earlier', 'later'], 0],
  ]);
  expect(seen(later)).toEqual([
    [5, ['later', 'nested'], 0],
    [7, ['original', 'earlier', 'later'], 2],
  ]);
  expect(seen(nested)).toEqual([[5, ['later', 'nested'], 1]]);
});

test('where the point is unknown, or no other branch is left, there is nothing to choose', () => {
  expect(seen(unknown)).toEqual([]);
  expect(seen(other, [other])).toEqual([]);
});

test('a point is above the first row after it', () => {
  const rows = [
    { kind: 'entry', entry: { n: 1 } },
    { kind: 'turn' },
    { kind: 'entry', entry: { n: 9 } },
  ];
  const at = (after: number): number => branchRow(rows, { after, branches: [], here: 0 });
  expect([at(0), at(1), at(8), at(9)]).toEqual([0, 2, 2, -1]);
});
