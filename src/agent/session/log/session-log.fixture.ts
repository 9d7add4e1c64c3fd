/** Test pages with open sessions. */

import type { SessionFact, SessionHead } from '../../../runtime/spec/session.ts';
import type { SessionLog, SessionLogDeps } from './session-log.ts';
import type { SessionPages } from './session-claim.ts';
import type { FakeBrowser } from './session-store.fixture.ts';

export interface TestPage {
  readonly deps: SessionLogDeps;
  readonly failures: string[];
  readonly reported: unknown[];
  readonly heads: SessionHead[];
}

/** Opens a page in the browser. */
export function openPage(browser: FakeBrowser, pages: SessionPages = browser.page()): TestPage {
  let time = 1_000;
  let count = 0;
  const failures: string[] = [];
  const reported: unknown[] = [];
  const heads: SessionHead[] = [];
  const deps: SessionLogDeps = {
    store: browser.store(),
    pages,
    limits: { eventChars: 10_000 },
    now: () => time++,
    newId: () => `id-${(count += 1)}`,
    report: (thrown) => reported.push(thrown),
    onStorageFailure: (text) => failures.push(text),
    onHead: (head) => heads.push(head),
  };
  return { deps, failures, reported, heads };
}

/** Adds facts one at a time, as a turn does. */
export function add(log: SessionLog, facts: readonly SessionFact[]): void {
  for (const fact of facts) log.append(fact);
}
