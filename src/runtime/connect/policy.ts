/** Creates what controls the access of a folder's tools: policies, questions to the user, requests. */

import { runAfter } from '../async/timers.ts';
import type { OpenHost } from '../protocol/ask.ts';
import type { Approve } from '../call/call-path.ts';
import { approveCall, hostOpener, type ApproveDeps } from '../grants/call-grants.ts';
import { outputMask, type OutputMask } from '../call/output-mask.ts';
import { ProgramApprovals } from '../grants/program-approvals.ts';
import { Policies, type PolicyStore } from '../grants/policies.ts';
import { Questions } from '../grants/questions.ts';
import { RequestLog } from '../grants/request-log.ts';
import { Semaphore } from '../async/wait.ts';
import type { Send } from '../grants/network-sender.ts';
import type { CurrentFolder } from '../open-folder/current-folder.ts';
import type { StatusHolder } from '../open-folder/status.ts';
import type { Limits } from '../spec/limits.ts';

export interface PolicyDeps {
  readonly window: Window;
  readonly limits: Limits;
  readonly status: StatusHolder;
  readonly currentFolder: CurrentFolder;
  readonly policyStore: PolicyStore;
  /** Whether nothing is granted and nothing asked, because a page of another origin frames this one. */
  readonly framed: boolean;
  /** Whether nothing is asked, because no part of the page answers. */
  readonly isUnanswered?: boolean;
  /** The user's permissions in a session. */
  readonly sessions: SessionGrants;
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

export interface SessionGrants extends Pick<ApproveDeps, 'taskOf' | 'allowInRun'> {
  /** Whether the user has allowed the tool for the rest of the session. */
  isAllowed(sessionId: string, tool: string): boolean;
}

export interface PolicyConnection {
  readonly policies: Policies;
  readonly questions: Questions;
  readonly requests: RequestLog;
  readonly openHost: OpenHost;
  readonly approve: Approve;
  readonly programs: ProgramApprovals;
  /** Returns what masks the keys of the open folder in the output of a call. */
  readonly outputMask: () => OutputMask;
  /** Switches to the policy of the open folder, under its current id. */
  follow(): void;
}

/** Limits over all tools: running requests, and queued ones. */
const maxRequests = 6;
const maxWaiting = 200;

export function connectPolicy(deps: PolicyDeps, send: Send): PolicyConnection {
  const { window, framed, isUnanswered = false, limits, onStorageFailure, report } = deps;
  const { status, currentFolder, sessions } = deps;
  const policies = new Policies({
    store: deps.policyStore,
    isLocked: framed,
    onStorageFailure,
    report,
  });
  const questions = new Questions({
    whyUnaskable: () => (framed ? 'framed' : isUnanswered ? 'unanswered' : null),
    after: runAfter,
    report,
  });
  const programs = new ProgramApprovals({ questions, after: runAfter });
  const requests = new RequestLog(report);
  const semaphore = new Semaphore(maxRequests, maxWaiting);
  const follow = (): void => policies.follow(status.get().folderKey, currentFolder.id);
  status.observe(follow);
  follow();
  return {
    policies,
    follow,
    questions,
    programs,
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
        caller === 'sub-agent' || caller === 'program' ? sessions.taskOf(sessionId) : null,
    })),
    outputMask: () => outputMask(() => policies.current.secretParts),
    approve: (...asked) =>
      approveCall(
        {
          questions,
          programs,
          policy: policies.current,
          allowedInSession: (id, tool) => sessions.isAllowed(id, tool),
          taskOf: (id) => sessions.taskOf(id),
          allowInRun: (run, tool) => sessions.allowInRun(run, tool),
        },
        ...asked,
      ),
  };
}
