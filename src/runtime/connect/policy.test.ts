/** Tests that if no user can be asked, the model gets the reason, not that the user denied the call. */

import { expect, test } from 'vitest';
import { CurrentFolder } from '../open-folder/current-folder.ts';
import { initialFolderStatus, StatusHolder } from '../open-folder/status.ts';
import { fakeTool } from '../scan/tool.fixture.ts';
import { toolCall } from '../spec/call.fixture.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { noPolicies } from '../storage/no-storage.ts';
import { connectPolicy, type PolicyConnection, type PolicyDeps } from './policy.ts';

const { signal } = new AbortController();
const tool: RegisteredTool = {
  ...fakeTool('t:f', { requires_approval: true }),
  ...{ hash: '', loadedAt: 0, state: 'ready' },
};
const dispatch = {
  check: () => Promise.resolve(null),
  needsApproval: () => Promise.resolve(true),
};

function report(thrown: unknown): never {
  throw thrown;
}

function connected(page: Pick<PolicyDeps, 'framed' | 'isUnanswered'>): PolicyConnection {
  const deps: PolicyDeps = {
    ...page,
    window: { location: { origin: 'https://page.example' }, navigator: { onLine: true } } as never,
    limits: defaultLimits,
    status: new StatusHolder(initialFolderStatus, report),
    currentFolder: new CurrentFolder(new WeakMap()),
    policyStore: noPolicies,
    sessions: { isAllowed: () => false, taskOf: () => null, allowInRun: () => undefined },
    onStorageFailure: report,
    report,
  };
  return connectPolicy(deps, () => Promise.reject(new Error('Nothing is sent.')));
}

test.each([
  [{ framed: false, isUnanswered: true }, 'This page does not answer questions'],
  [{ framed: true }, 'The user cannot be asked in a frame of another site.'],
])('with %o, calls, tools and requests are refused because %s', async (page, reason) => {
  const { approve, openHost } = connected(page);
  const { refusal } = await approve(signal, tool, toolCall('c'), dispatch);
  const clock = { pause: () => undefined, resume: () => undefined, progress: () => undefined };
  const host = openHost(tool, toolCall('c'), clock);
  const asked = await host.answer(1, { ask: 'approve', question: 'Sure?', details: null });
  const url = 'https://other.example/';
  const sent = { ask: 'fetch', url, method: 'GET', headers: [], body: null } as const;
  const requested = await host.answer(2, sent as never);
  const texts = [refusal?.textResultForLlm, asked, requested].map((each) => JSON.stringify(each));
  for (const text of texts) {
    expect(text).toContain(reason);
    expect(text).not.toContain('denied');
  }
});

test('a page that answers is asked', async () => {
  const { approve, questions } = connected({ framed: false });
  const decided = approve(signal, tool, toolCall('c'), dispatch);
  await expect.poll(() => questions.list().length).toBe(1);
  questions.answer(questions.list()[0]?.id ?? 0, 'once');
  expect(await decided).toMatchObject({ refusal: null });
});
