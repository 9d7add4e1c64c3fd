/** Creates what controls the access of a folder's tools: policies, questions to the user, requests. */

import { after } from '../../runtime/async/after.ts';
import type { OpenHost } from '../../runtime/call/call-host.ts';
import type { Approve } from '../../runtime/call/call-path.ts';
import { AllowedSites } from '../../runtime/grants/allowed-sites.ts';
import { approveCall, hostOpener } from '../../runtime/grants/call-grants.ts';
import { Policies } from '../../runtime/grants/policies.ts';
import { Questions } from '../../runtime/grants/questions.ts';
import { RequestLog } from '../../runtime/grants/request-log.ts';
import { Semaphore } from '../../runtime/grants/semaphore.ts';
import { networkSender, startNetworkWorker } from '../../runtime/grants/network-sender.ts';
import { openPolicyStore } from '../../runtime/storage/folder-stores.ts';
import type { PageDeps, Parts } from '../page-deps.ts';

export type PolicyDeps = PageDeps &
  Pick<Parts, 'status' | 'currentFolder' | 'memory' | 'openSessions'>;

export interface PolicyConnection {
  readonly policies: Policies;
  readonly sites: AllowedSites;
  readonly questions: Questions;
  readonly requests: RequestLog;
  readonly openHost: OpenHost;
  readonly approve: Approve;
  /** Switches to the policy of the open folder, under its current id. */
  follow(): void;
}

/** Limits over all tools: running requests, and queued ones. */
const maxRequests = 6;
const maxWaiting = 200;

export function connectPolicy(deps: PolicyDeps): PolicyConnection {
  const { base, window, framed, limits, database, onStorageFailure, report } = deps;
  const { status, currentFolder, openSessions } = deps;
  const policies = new Policies({
    store: openPolicyStore(database, base.pathname),
    isLocked: framed,
    onStorageFailure,
    report,
  });
  const questions = new Questions({
    canAsk: () => !framed,
    after,
    report,
  });
  const sites = new AllowedSites({
    memory: deps.memory,
    base: base.pathname,
    questions,
    report,
    now: () => Date.now(),
  });
  window.addEventListener('storage', ({ key }) => sites.changedElsewhere(key));
  const requests = new RequestLog(report);
  const semaphore = new Semaphore(maxRequests, maxWaiting);
  const send = networkSender(startNetworkWorker);
  const follow = (): void => policies.follow(status.get().folderKey, currentFolder.id);
  status.observe(follow);
  follow();
  return {
    policies,
    sites,
    follow,
    questions,
    requests,
    openHost: hostOpener(() => ({
      policy: policies.current,
      questions,
      log: requests,
      semaphore,
      send,
      appOrigin: window.location.origin,
      isOnline: () => window.navigator.onLine,
      maxBytes: limits.valueChars,
      now: () => Date.now(),
      taskOf: ({ caller, sessionId }) =>
        caller === 'sub-agent' ? openSessions.taskOf(sessionId) : null,
    })),
    approve: (...asked) => {
      const allowedInSession = (id: string, tool: string): boolean =>
        openSessions.isAllowed(id, tool);
      return approveCall(
        {
          questions,
          policy: policies.current,
          allowedInSession,
          taskOf: (id) => openSessions.taskOf(id),
          allowInRun: (run, tool) => openSessions.allowInRun(run, tool),
        },
        ...asked,
      );
    },
  };
}
