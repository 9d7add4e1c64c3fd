/** Which calls wait for the user. */

import type { PolicyControl } from '../../app.ts';
import { observeLater } from '../parts/observed-later.ts';
import type { Observed } from '../parts/observed.ts';

/** The ids of the calls that wait for the user. */
export function observeAskedCalls(
  policy: Promise<Pick<PolicyControl, 'questions'>>,
): Observed<ReadonlySet<string>> {
  return observeLater(
    policy,
    (control) =>
      new Set(
        control?.questions.list().flatMap((question) => {
          const calls = question.kind === 'call' ? (question.calls ?? []) : [];
          return [question.callId, ...calls.map(({ id }) => id)];
        }),
      ),
    ({ questions }) => questions,
  );
}
