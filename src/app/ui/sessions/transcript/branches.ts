/** Finds where a session and its forks part, so that the user can go from one to the other. */

import type { SessionHead } from '../../../../runtime/spec/session.ts';

export interface BranchPoint {
  /** The last event that the branches have in common. */
  readonly after: number;
  /** The original, and its forks at this point, oldest first. */
  readonly branches: readonly Pick<SessionHead, 'id' | 'title' | 'messages'>[];
  /** Index of the session in view. */
  readonly here: number;
}

/**
 * Returns the points at which the session was forked, and the one at which it is a fork itself.
 *
 * @param heads all sessions
 */
export function branchPoints(
  session: Pick<SessionHead, 'id' | 'forkOf' | 'forkAt'>,
  heads: readonly SessionHead[],
): readonly BranchPoint[] {
  const { id, forkOf, forkAt } = session;
  const own = new Set(
    heads.flatMap((head) => (head.forkOf === id && head.forkAt !== undefined ? [head.forkAt] : [])),
  );
  const points = [...own].map((after) => branchPoint(id, after, id, heads));
  const isFork = forkOf !== null && forkAt !== undefined;
  return [...points, ...(isFork ? [branchPoint(forkOf, forkAt, id, heads)] : [])]
    .filter(({ branches, here }) => branches.length > 1 && here >= 0)
    .sort((a, b) => a.after - b.after);
}

function branchPoint(
  original: string,
  after: number,
  id: string,
  heads: readonly SessionHead[],
): BranchPoint {
  const forks = heads
    .filter((head) => head.forkOf === original && head.forkAt === after)
    .sort((a, b) => a.createdAt - b.createdAt);
  const branches = [...heads.filter((head) => head.id === original), ...forks];
  return { after, branches, here: branches.findIndex((head) => head.id === id) };
}

type Rows = readonly { readonly kind: string; readonly entry?: { readonly n: number } }[];

/** Returns the points at which branches part, by the row above which they are shown; -1 is the end. */
export function branchesByRow(
  rows: Rows,
  session: Parameters<typeof branchPoints>[0],
  heads: readonly SessionHead[],
): ReadonlyMap<number, BranchPoint> {
  return new Map(branchPoints(session, heads).map((point) => [branchRow(rows, point), point]));
}

/** The row above which a point is shown: the first row after it; -1 if the session ends there. */
export function branchRow(rows: Rows, { after }: BranchPoint): number {
  return rows.findIndex((row) => row.entry !== undefined && row.entry.n > after);
}
