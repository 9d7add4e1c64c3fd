/** Gives extensions access to sessions, tools and the page, and performs the actions that they ask for. */

import type { AgentHooks } from '../turn/hooks.ts';
import type { LiveSessions } from '../turn/live-sessions.ts';
import { wait } from '../../runtime/async/wait.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import type { Action } from './actions.ts';
import type { HostSession, HostSessions, ListedExtension, PlanRunSummary } from './host-types.ts';
import type { Origin, Contributions } from './contributions.ts';
import { fromBase64 } from '../../runtime/spec/bytes.ts';
import type { JsonObject } from '../../runtime/spec/json.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Checkpoints } from '../../runtime/workspace/checkpoints.ts';
import { newCall } from '../../runtime/spec/call.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Providers } from '../providers/model-providers.ts';
import type { Plans } from '../runner/plans.ts';
import type { RunState } from '../runner/run-record.ts';

/** The sessions, once one has been used in this page. */
export interface OpenedSessions {
  readonly providers: Providers;
  readonly builtIns: { list(): readonly ListedExtension[] };
  readonly stored: Pick<Sessions, 'list'>;
  readonly liveSessions: Pick<LiveSessions, 'opened' | 'hasFolderOf' | 'fork'>;
}

export interface ExtensionHostDeps {
  readonly window: Pick<Window, 'location'>;
  readonly registry: Pick<Registry, 'folder' | 'list'>;
  readonly calls: Pick<CallPath, 'call'>;
  readonly hooks: Pick<AgentHooks, 'messages'>;
  readonly sessions: () => OpenedSessions | null;
  readonly extensions: () => readonly ListedExtension[];
  readonly checkpoints: Pick<Checkpoints, 'save' | 'list' | 'restore'>;
  /** Loads the code of plans on first use. */
  readonly plans: () => Promise<Plans>;
}

export type ExtensionHost = ReturnType<typeof createExtensionHost>;

export function createExtensionHost(deps: ExtensionHostDeps) {
  const { window, registry, calls, hooks } = deps;
  let runsHooks = false;
  const host = {
    /** Name of the open folder. */
    folder: (): string => registry.folder ?? '',
    tools: (): readonly RegisteredTool[] => registry.list(),
    /** Null until a session has been used in this page. */
    sessions: (): HostSessions | null => {
      const opened = deps.sessions();
      return opened === null ? null : hostSessions(opened);
    },
    extensions: deps.extensions,
    /** Checkpoints of the workspace of the open folder. */
    checkpoints: deps.checkpoints,
    /**
     * Runs the message hooks of all extensions.
     * @returns what they add to the text @throws what a hook throws; {ToolError} if they run already
     */
    async runMessageHooks(session: string, text: string): Promise<string> {
      // A hook that runs the hooks would never end.
      if (runsHooks) throw new ToolError('limit', 'The message hooks are running already.');
      runsHooks = true;
      try {
        let added = '';
        const parts = [{ type: 'text', text }] as const;
        const message = { session, turnId: '', steering: false, parts, context: [] };
        await hooks.messages.run(message, ({ context }) => {
          const texts = context.flatMap((part) => (part.type === 'text' ? [part.text] : []));
          added = texts.join('\n\n');
          return Promise.resolve();
        });
        return added;
      } finally {
        runsHooks = false;
      }
    },
    /** Runs a tool like any other caller does. Never rejects. */
    call: (signal: AbortSignal, tool: string, args: string, session: string): Promise<ToolResult> =>
      calls.call(signal, newCall('extension', tool, args, { sessionId: session })),
    /**
     * Stores a run of a plan, which waits for the user's approval unless the policy allows it.
     * @param value an object, or text as JSON or YAML
     * @returns the id of the run @throws {ToolError} with the problems of the plan
     */
    async runPlan(value: JsonObject | string, session: string, from: Origin): Promise<string> {
      const plans = await deps.plans();
      const { plan, problems } =
        typeof value === 'string'
          ? await plans.read(value, session)
          : await plans.check(value, session);
      const [first] = problems;
      if (plan === null || first !== undefined)
        throw new ToolError(
          'bad-input',
          `The plan cannot be run: ${problems.map(({ message }) => message).join('; ')}.`,
          first?.hint,
        );
      return (await plans.request(plan, session, from)).id;
    },
    /** Returns a run that an extension has asked for, and its tasks; null if there is none. */
    async planRun(id: string): Promise<PlanRunSummary | null> {
      const { runs } = await deps.plans();
      await runs.loaded;
      const run = runs.get(id);
      return run === null ? null : summaryOf(run, runs.isActive(id));
    },
    /** Shows a session. */
    show: (session: string): void => {
      window.location.hash = `#/sessions/${encodeURIComponent(session)}`;
    },
    /** Resolves when no turn runs in the session. @throws {ToolError} if it is not open; the signal's reason */
    async idle(signal: AbortSignal, session: string): Promise<void> {
      boundSession({ host, session });
      const opened = deps.sessions()?.liveSessions.opened(session);
      if (opened === undefined || opened.live.phase === 'idle') return;
      let end = (): void => undefined;
      const idle = new Promise<void>((resolve) => {
        end = opened.observe(() => {
          if (opened.live.phase === 'idle') resolve();
        });
      });
      await wait(signal, idle).finally(end);
    },
  };
  return host;
}

/** The sessions. @throws {ToolError} if none has been used in this page */
export function sessionsOf({ host }: { readonly host: ExtensionHost }): HostSessions {
  const sessions = host.sessions();
  if (sessions === null)
    throw new ToolError('not-found', 'The app is not bound: no session has been opened yet.');
  return sessions;
}

/** The session for which the code runs. @throws {ToolError} if there is none, or it belongs to another folder */
export function boundSession({
  host,
  session,
}: {
  readonly host: ExtensionHost;
  /** Empty if the code runs for no session. */
  readonly session: string;
}): HostSession {
  const sessions = host.sessions();
  const bound = session === '' ? undefined : sessions?.opened(session);
  if (sessions === null || bound === undefined)
    throw new ToolError(
      'not-found',
      'The app is not bound here: this code does not run for a session that is open in this page.',
    );
  const { head, selection } = bound.state;
  // Before its tools are locked, a session belongs to no folder.
  // @mutant an extension reaches no session of another folder => !sessions.hasFolderOf(head) -> head === null
  //   [src/agent/extensions/session-writes.test.ts src/agent/extensions/bound-app.test.ts]
  if (selection !== null && !sessions.hasFolderOf(head))
    throw new ToolError('bad-input', 'The session belongs to another folder than the extension.');
  return bound;
}

/** Returns whether a session is open in this page, and belongs to the folder of the extensions. */
export function isReachable(host: ExtensionHost, session: string): boolean {
  try {
    boundSession({ host, session });
    return true;
  } catch {
    return false;
  }
}

/** Performs an action that no power and no limit forbids any more. @throws {ToolError} */
export function performOnPage(
  from: Origin,
  action: Action,
  session: string,
  {
    host,
    shown,
    window,
  }: { host: ExtensionHost; shown: Contributions; window: Pick<Window, 'location'> },
): void {
  const expectSession = () => boundSession({ host, session });
  switch (action.action) {
    case 'notify':
    case 'show_message':
      shown.notify(from, action.text, { stays: action.action === 'show_message' });
      return;
    case 'show_data': {
      const { kind: messageKind, data, text } = action;
      if (session === '') shown.notify(from, text, { stays: true });
      else expectSession().show({ messageKind, data, text, from });
      return;
    }
    case 'send_message':
      expectSession().send([{ type: 'text', text: action.text }], from);
      return;
    case 'set_title':
      expectSession().rename(action.text);
      return;
    case 'run_background':
      expectSession().background.start(action.text);
      return;
    case 'attach_image': {
      const { data, mediaType: type, name } = action;
      const image = new Blob([bytesOf(data)], { type });
      shown.attachments.add(from, { session: expectSession().id, name, image });
      return;
    }
    case 'detach_image':
      shown.attachments.remove(from.file, session, action.name);
      return;
    case 'swap_session':
      if (action.session === null) host.show('new');
      else host.show(inThisFolder(host, action.session));
      return;
    case 'quit':
      window.location.hash = '#/sessions';
      return;
    case 'open_file': {
      const path = action.path.toWellFormed().split('/').map(encodeURIComponent).join('/');
      window.location.hash = `#/files/${path}${action.line === null ? '' : `?line=${action.line}`}`;
      return;
    }
    default:
      throw new ToolError('bad-input', `The page does not perform ${action.action}.`);
  }
}

function hostSessions({ stored, liveSessions, providers }: OpenedSessions): HostSessions {
  return {
    opened: (id) => liveSessions.opened(id),
    list: () => stored.list(),
    hasFolderOf: (head) => liveSessions.hasFolderOf(head),
    fork: async (id, n) => (await liveSessions.fork(id, n)).id,
    providers,
  };
}

/** @throws {ToolError} unless it is a session of the open folder */
function inThisFolder(host: ExtensionHost, id: string): string {
  const sessions = sessionsOf({ host });
  const head = sessions.list().find((one) => one.id === id);
  // @mutant an extension shows only sessions of this folder => without && sessions.hasFolderOf(head)
  if (head !== undefined && sessions.hasFolderOf(head)) return id;
  throw new ToolError('not-found', `This folder has no session “${id.slice(0, 100)}”.`);
}

/** @throws {ToolError} if it is not base64 */
function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(data);
  if (bytes === null) throw new ToolError('bad-input', 'The image is not in base64.');
  return bytes;
}

function summaryOf(run: RunState, isActive: boolean): PlanRunSummary {
  const { id, plan, reason, phase, isWaiting } = run;
  const isOpen = phase === 'running' || phase === 'paused';
  const state = isWaiting ? 'waiting' : isOpen && !isActive ? 'interrupted' : phase;
  const tasks = Array.from(run.tasks, ([task, { phase: now, reason: why, output }]) => ({
    id: task,
    state: now,
    reason: why,
    output,
  }));
  return { id, goal: plan.goal, state, reason, tasks };
}
