/** Test pages with all of their sessions. */

import type { SessionFact } from '../../runtime/spec/session.ts';
import type { SessionLog } from './log/session-log.ts';
import type { FakeBrowser } from './log/session-store.fixture.ts';
import { message, wholeTurn } from './session.fixture.ts';
import { Sessions, type SessionsDeps } from './sessions.ts';

export const how = { folder: 'tools', folderId: 'folder-1' };
/** Lets pending work finish. */
export const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

export interface Page {
  readonly sessions: Sessions;
  readonly failures: string[];
  /** Lets the time for undo elapse. */
  pass(): Promise<void>;
}

let ids = 0;

/** The clock of all pages, in milliseconds since the epoch. */
export const clock = { now: 1_000_000 };

/** Opens a page in the browser. */
export function openPage(browser: FakeBrowser, more: Partial<SessionsDeps> = {}): Page {
  const waiting: (() => void)[] = [];
  const failures: string[] = [];
  const sessions = new Sessions({
    store: browser.store(),
    pages: browser.page(),
    limits: { eventChars: 100_000, sessionFileBytes: 1_000_000, foundSessions: 10 },
    providers: { nameOf: (id) => `${id}’s name`, idOf: (name) => name.replace('’s name', '') },
    now: () => (clock.now += 1),
    newId: () => `id-${(ids += 1)}`,
    after: (_ms, then) => waiting.push(then),
    report: (thrown) => failures.push(String(thrown)),
    onStorageFailure: (text) => failures.push(text),
    ...more,
  });
  return {
    sessions,
    failures,
    pass: async () => {
      for (const then of waiting.splice(0)) then();
      await later();
    },
  };
}

/** Appends facts to a session. */
export function fill(log: SessionLog, facts: readonly SessionFact[] = wholeTurn.slice(1)): void {
  for (const fact of facts) log.append(fact);
}

/** Creates a session with one message, from which it gets its title. */
export async function filled(
  sessions: Sessions,
  text = 'How is the weather?',
): Promise<SessionLog> {
  const log = sessions.create(how);
  fill(log, [message(text), { type: 'titled', title: text, by: 'message' }]);
  await log.written();
  return log;
}

export const titles = (sessions: Sessions): string[] => sessions.list().map(({ title }) => title);
