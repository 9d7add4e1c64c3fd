import { expect, test } from 'vitest';
import { Reports } from './server-reports.ts';

const signedIn = (state: string) => ({ origins: [], state, secrets: [] });

test('refreshes of one sign-in are reported as one, and those of others apart from it', async () => {
  const reports = new Reports(10_000);
  reports.refreshed({ before: 'new 1', signedIn: signedIn('new 2') });
  reports.refreshed({ before: 'old 1', signedIn: signedIn('old 2') });
  reports.refreshed({ before: 'new 2', signedIn: signedIn('new 3') });
  expect((await reports.next()).refreshed).toEqual([
    { before: 'old 1', signedIn: signedIn('old 2') },
    { before: 'new 1', signedIn: signedIn('new 3') },
  ]);
  reports.refreshed({ before: 'new 3', signedIn: signedIn('new 4') });
  expect((await reports.next()).refreshed).toEqual([
    { before: 'new 3', signedIn: signedIn('new 4') },
  ]);
});
