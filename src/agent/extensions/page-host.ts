/** Gives extensions access to sessions, tools and the page, and performs the actions that they ask for. */

import type { AgentHooks } from '../turn/hooks.ts';
import type { LiveSessions } from '../turn/live-sessions.ts';
import { wait } from '../../runtime/async/wait.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import type { Action } from './actions.ts';
import type { ExtensionHost, HostSessions, ListedExtension, PlanRunSummary } from './host.ts';
import { conversationOf, sessionsOf } from './session-reads.ts';
import type { Origin, Shown } from './shown.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Checkpoints } from '../../runtime/workspace/checkpoints.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Providers } from '../providers/model-providers.ts';
import type { Plans } from '../runner/plans.ts';
import type { RunState } from '../runner/run-record.ts';
import type { BuiltIns } from './built-ins.ts';

/** The sessions, once one has been used in this page. */
export interface OpenedSessions {
  readonly providers: Providers;
  readonly builtIns: Pick<BuiltIns, 'list'>;
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

export function createExtensionHost(deps: ExtensionHostDeps): ExtensionHost {
  const { window, registry, calls, hooks } = deps;
  let runsHooks = false;
  const host: ExtensionHost = {
    folder: () => registry.folder ?? '',
    tools: () => registry.list(),
    sessions: () => {
      const opened = deps.sessions();
      return opened === null ? null : hostSessions(opened);
    },
    extensions: deps.extensions,
    checkpoints: deps.checkpoints,
    async runMessageHooks(session, text) {
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
    call: (signal, tool, args, session) =>
      calls.call(signal, {
        id: crypto.randomUUID(),
        tool,
        arguments: args,
        caller: 'extension',
        sessionId: session,
        sessionKey: '',
        turnId: '',
        agentId: '',
        validate: true,
      }),
    async runPlan(value, session, from) {
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
    async planRun(id) {
      const { runs } = await deps.plans();
      await runs.loaded;
      const run = runs.get(id);
      return run === null ? null : summaryOf(run, runs.isActive(id));
    },
    show: (session) => {
      window.location.hash = `#/sessions/${encodeURIComponent(session)}`;
    },
    async idle(signal, session) {
      conversationOf({ host, session });
      const conversation = deps.sessions()?.liveSessions.opened(session);
      if (conversation === undefined || conversation.live.phase === 'idle') return;
      let end = (): void => undefined;
      const idle = new Promise<void>((resolve) => {
        end = conversation.observe(() => {
          if (conversation.live.phase === 'idle') resolve();
        });
      });
      await wait(signal, idle).finally(end);
    },
  };
  return host;
}

/** Performs an action that no power and no limit forbids any more. @throws {ToolError} */
export function performOnPage(
  from: Origin,
  action: Action,
  session: string,
  { host, shown, window }: { host: ExtensionHost; shown: Shown; window: Pick<Window, 'location'> },
): void {
  const conversation = () => conversationOf({ host, session });
  switch (action.action) {
    case 'notify':
    case 'show_message':
      shown.notify(from, action.text, action.action === 'show_message');
      return;
    case 'show_data': {
      const { kind: messageKind, data, text } = action;
      if (session === '') shown.notify(from, text, true);
      else conversation().show({ messageKind, data, text, from });
      return;
    }
    case 'send_message':
      conversation().send([{ type: 'text', text: action.text }], from);
      return;
    case 'set_title':
      conversation().rename(action.text);
      return;
    case 'run_background':
      conversation().background.start(action.text);
      return;
    case 'attach_image': {
      const { data, mediaType: type, name } = action;
      const image = new Blob([bytesOf(data)], { type });
      shown.attachments.add(from, { session: conversation().id, name, image });
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
    conversation: (id) => liveSessions.opened(id),
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
  try {
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  } catch {
    throw new ToolError('bad-input', 'The image is not in base64.');
  }
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
