/** Words and icons for saved tests. */

import type { ExpectationKind } from '../../../../agent/saved-tests/expectations.ts';
import type { TestsView } from '../../../../agent/saved-tests/saved-tests.ts';
import type { TestState } from '../../../../runtime/spec/saved-test.ts';
import type { IconName } from '../../parts/icons.ts';

export const stateWords: Readonly<Record<TestState, { words: string; icon: IconName }>> = {
  'not-run': { words: 'not run', icon: 'play' },
  waiting: { words: 'waiting', icon: 'play' },
  running: { words: 'running', icon: 'refresh' },
  passed: { words: 'passed', icon: 'done' },
  failed: { words: 'failed', icon: 'error' },
  'needs-approval': { words: 'needs approval', icon: 'warning' },
  stopped: { words: 'stopped', icon: 'stop' },
};

export const kindWords: Readonly<Record<ExpectationKind, string>> = {
  equals: 'Exact value',
  includes: 'Part of the value',
  schema: 'Schema',
  error: 'Error',
  expression: 'Expression',
  success: 'Success',
};

/** Returns the counts as text, such as `3 passed, 1 failed, 2 not run`. */
export function summarizeTests({ tests, passed, failed }: TestsView): string {
  const stale = tests.filter(({ isStale }) => isStale).length;
  const approval = tests.filter(({ state }) => state === 'needs-approval').length;
  const rest = tests.length - passed - failed - stale - approval;
  return [
    `${passed.toLocaleString('en')} passed`,
    `${failed.toLocaleString('en')} failed`,
    ...(stale > 0 ? [`${stale.toLocaleString('en')} out of date`] : []),
    ...(approval > 0 ? [`${approval.toLocaleString('en')} need approval`] : []),
    ...(rest > 0 ? [`${rest.toLocaleString('en')} not run`] : []),
  ].join(', ');
}
