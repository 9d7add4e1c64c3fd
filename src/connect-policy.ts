/** Puts the person between tools and everything outside: grants, questions, requests. */

import type { ClocheApp } from './app.ts';
import type { OpenHost } from './call/call-host.ts';
import type { FolderSource } from './folder/source.ts';
import type { Approve } from './call/call-path.ts';
import { approveCall } from './grants/approve-call.ts';
import { hostOpener } from './grants/open-host.ts';
import { Policies } from './grants/policies.ts';
import { Questions } from './grants/questions.ts';
import { RequestLog } from './grants/request-log.ts';
import { Turns } from './grants/turns.ts';
import type { Database } from './platform/db.ts';
import { networkSender, startNetworkWorker } from './platform/network-sender.ts';
import { openPolicyStore } from './platform/policy-store.ts';
import type { Limits } from './spec/limits.ts';

export interface PolicyConnectionHands {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly window: Window;
  readonly limits: Limits;
  /** The id of each source whose folder is known. */
  readonly ids: WeakMap<FolderSource, string>;
  readonly database: () => Promise<Database>;
  readonly packages: () => { renew(): Promise<void> };
  /** The person has allowed the tool for the rest of the session. */
  readonly allowedInSession: (sessionId: string, tool: string) => boolean;
  readonly onStorageFailure: (thrown: unknown) => void;
  readonly report: (thrown: unknown) => void;
}

export interface PolicyConnection {
  readonly policies: Policies;
  readonly questions: Questions;
  readonly requests: RequestLog;
  readonly openHost: OpenHost;
  readonly approve: Approve;
  /** Looks for newer versions of the open folder's packages. */
  renewPackages(): Promise<void>;
  /** Looks which folder is open, and by which id it is known. */
  follow(): void;
}

/** Requests of all tools at once, and those that wait. */
const mostRequests = 6;
const mostWaiting = 200;

export function connectPolicy(app: ClocheApp, hands: PolicyConnectionHands): PolicyConnection {
  const { base, window, limits, ids, database, onStorageFailure, report } = hands;
  const policies = new Policies({
    store: openPolicyStore(database, base.pathname),
    onStorageFailure,
    report,
  });
  const questions = new Questions({
    // In another site's frame that site could lay anything over the question.
    canAsk: () => window.top === window,
    after: (ms, then) => {
      const timer = setTimeout(then, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    report,
  });
  const requests = new RequestLog(report);
  const turns = new Turns(mostRequests, mostWaiting);
  const send = networkSender(startNetworkWorker);
  const follow = (): void => {
    const source = app.folder?.source;
    policies.follow(app.status.get().folderKey, source && ids.get(source));
  };
  app.status.observe(follow);
  follow();
  return {
    policies,
    follow,
    renewPackages: () => hands.packages().renew(),
    questions,
    requests,
    openHost: hostOpener(() => ({
      policy: policies.current,
      questions,
      log: requests,
      turns,
      send,
      appOrigin: window.location.origin,
      isOnline: () => window.navigator.onLine,
      mostBytes: limits.valueChars,
      now: () => Date.now(),
    })),
    approve: (...asked) => {
      const { allowedInSession } = hands;
      return approveCall({ questions, policy: policies.current, allowedInSession }, ...asked);
    },
  };
}
