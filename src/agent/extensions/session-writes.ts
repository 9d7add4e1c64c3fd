/**
 * What `app` lets an extension do once it is bound to a session, and what it asks other extensions. Extensions in Python
 * use the same names in snake_case, and arrive here through `python-requests.ts`.
 */

import { ToolError } from '../../runtime/spec/error.ts';
import type { JsonObject, JsonText } from '../../runtime/spec/json.ts';
import type { ModelMessage } from '../../runtime/spec/model.ts';
import { replayProvider } from '../../runtime/spec/recording.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { CheckpointSummary, Restored } from '../../runtime/workspace/checkpoints.ts';
import type { RateLimit, Access } from './access.ts';
import type { Action, PickerItem } from './actions.ts';
import { checkDispatched, type ExtensionEvent } from './events.ts';
import { findModel, findProvider, realProviders } from '../providers/find-model.ts';
import type { HostSession, PlanRunSummary } from './host-types.ts';
import { textOfMessages } from './messages.ts';
import { boundSession, sessionsOf } from './page-host.ts';
import {
  currentProvider,
  modelSummary,
  type ModelSummary,
  type ReadsDeps,
  createReads,
  type AppReads,
} from './app-reads.ts';

export interface WritesDeps extends ReadsDeps {
  readonly costly: RateLimit;
  /** Passes an event to the event handlers of all extensions. */
  readonly emit: (event: ExtensionEvent) => void;
  /** Actions that wait for {@link SessionWrites.pendingActions}. */
  readonly pending: Action[];
}

/** Limits of pending actions, and of calls that one extension runs at once. */
const maxPending = 100;
const maxCalls = 5;

function createWrites(deps: WritesDeps, running: { calls: number }) {
  const { session, access, host, shown, costly, pending } = deps;
  const { need, from, signal } = access;
  const perform = (action: Action): Promise<void> => access.perform(action, session);
  const use = (bound: HostSession, ref: ModelSummary): ModelSummary => {
    bound.useModel({ provider: ref.provider, model: ref.id });
    return ref;
  };
  return {
    sendMessage: (text: string) => perform({ action: 'send_message', text }),
    /** Another name for `sendMessage`: the message reaches a running turn before its next step, and starts a turn if none runs. */
    steer: (text: string) => perform({ action: 'send_message', text }),
    /** Sends a message when the running turn has ended; at once if none runs. */
    followUp: (text: string) => perform({ action: 'follow_up', text }),
    setSessionTitle: (text: string) => perform({ action: 'set_title', text }),
    notify: (text: string) => perform({ action: 'notify', text }),
    showMessage: (text: string) => perform({ action: 'show_message', text }),
    openFile: (path: string, line: number | null = null) =>
      perform({ action: 'open_file', path, line }),
    /** @param data base64 */
    attachImage: (data: string, mediaType: string, name = 'image') =>
      perform({ action: 'attach_image', data, mediaType, name }),
    /** Removes an image that the extension has attached; null for all of them. */
    detachImage: (name: string | null = null) => perform({ action: 'detach_image', name }),
    /** Lets the user choose an item. @param onSelect is not called if none is chosen @throws {ToolError} */
    async showPicker<T extends PickerItem>(
      title: string,
      items: readonly T[],
      onSelect: (item: T) => void,
    ): Promise<void> {
      await need('show');
      shown.pickers.open(from(), { title, items }, (index) => {
        const item = index === null ? undefined : items[index];
        if (item !== undefined && !signal.aborted) onSelect(item);
      });
    },
    /** Opens a session of this folder; null for a new one. */
    swapSession: (id: string | null) => perform({ action: 'swap_session', session: id }),
    loadSession: (id: string) => perform({ action: 'swap_session', session: id }),
    /** Closes the view of the session. */
    requestQuit: () => perform({ action: 'quit' }),
    /** @throws {ToolError} `limit` if a background prompt runs already */
    runBackground: (prompt: string) => perform({ action: 'run_background', text: prompt }),
    async cancelBackground(): Promise<void> {
      await need('spend');
      boundSession(deps).background.cancel();
    },
    /** @returns whether it is on now */
    async toggleStepMode(): Promise<boolean> {
      await need('send');
      const bound = boundSession(deps);
      const on = !bound.live.stepMode;
      bound.setStepMode(on);
      return on;
    },
    /** Replaces all messages that the model is sent so far. The transcript does not change. */
    async setConversationMessages(messages: readonly ModelMessage[]): Promise<void> {
      await need('prompt');
      await need('read');
      boundSession(deps).replaceMessages(messages, textOfMessages(messages), from().file);
    },
    /** Chooses a model by "provider/model", or by its name if that is unambiguous. */
    async switchModel(name: string): Promise<ModelSummary> {
      await need('models');
      const bound = expectChangeableModel(deps);
      const providers = realProviders(sessionsOf(deps).providers.list());
      const model = findModel(providers, name, { preferred: currentProvider(deps) });
      return use(bound, modelSummary(model, providers));
    },
    /** Chooses a model of another provider: the one of the same name, else its first. */
    async setProvider(name: string): Promise<ModelSummary> {
      await need('models');
      const bound = expectChangeableModel(deps);
      const providers = realProviders(sessionsOf(deps).providers.list());
      const { models, name: found } = findProvider(providers, name);
      const now = bound.state.head.model?.model;
      const model = models.find(({ ref }) => ref.model === now) ?? models[0];
      if (model === undefined)
        throw new ToolError('not-found', `The provider ${found} has no models.`);
      return use(bound, modelSummary(model, providers));
    },
    /** Asks providers for their lists of models. @param name null for the provider of the session's model */
    async syncModels(name: string | null = null): Promise<readonly ModelSummary[]> {
      await need('models');
      const { providers } = sessionsOf(deps);
      const all = realProviders(providers.list());
      const wanted = name ?? currentProvider(deps);
      if (wanted === null)
        throw new ToolError('not-found', 'The session has no model. Name a provider.');
      const { id } = findProvider(all, wanted);
      costly.count();
      const models = await providers.sync(signal, id);
      return models.slice(0, 2_000).map((model) => modelSummary(model, all));
    },
    /**
     * Copies the session and shows the copy.
     * @param n the last event to copy; null for all
     * @returns the id of the copy
     */
    async forkSession(n: number | null = null): Promise<string> {
      await need('sessions');
      const { head } = boundSession(deps).state;
      if (head.messages === 0)
        throw new ToolError('bad-input', 'The session has no message yet, so it cannot be copied.');
      costly.count();
      const id = await sessionsOf(deps).fork(session, n ?? head.events - 1);
      host.show(id);
      return id;
    },
    /**
     * Runs the message hooks of all extensions on a text.
     * @returns what they add
     * @throws what one of them throws
     */
    async runMessageHooks(text: string): Promise<string> {
      await need('read');
      return host.runMessageHooks(boundSession(deps).id, text);
    },
    /** Passes an event to the event handlers of all extensions, with the file that it comes from. @throws {ToolError} */
    async dispatchEvent(event: JsonObject): Promise<void> {
      deps.emit({ ...checkDispatched(event), from: from().file, session_id: session });
      return Promise.resolve();
    },
    /** Asks for a run of a plan, which waits for the user's approval. @returns the id of the run @throws {ToolError} */
    async runPlan(plan: JsonObject | string): Promise<string> {
      await need('spend');
      // @mutant a plan of an extension needs the power to run tools => removed
      await need('call');
      costly.count();
      return host.runPlan(plan, session, from());
    },
    /** Returns a run of a plan and its tasks. */
    async planRun(id: string): Promise<PlanRunSummary | null> {
      await need('read');
      return host.planRun(id);
    },
    /** Keeps the files of the workspace as they are now. The extension learns only how many there are. */
    async checkpointWorkspace(name: string): Promise<CheckpointSummary> {
      await need('workspace');
      costly.count();
      return host.checkpoints.save(signal, from().file, name);
    },
    /** The checkpoints of this extension, newest first. */
    async workspaceCheckpoints(): Promise<readonly CheckpointSummary[]> {
      await need('workspace');
      costly.count();
      return host.checkpoints.list(signal, from().file);
    },
    /** Restores a checkpoint by changes that the user reviews. */
    async restoreWorkspace(name: string): Promise<Restored> {
      await need('workspace');
      costly.count();
      const { extension, file } = from();
      return host.checkpoints.restore(signal, file, name, `the extension ${extension}, ${file}`);
    },
    /** Runs a tool through all interceptors and approvals. */
    async callTool(name: string, args: JsonText): Promise<ToolResult> {
      await need('call');
      // Throws if the session is gone.
      if (session !== '') boundSession(deps);
      if (running.calls >= maxCalls)
        throw new ToolError('limit', `More than ${maxCalls} calls of tools at once.`);
      running.calls += 1;
      try {
        return await host.call(signal, name, args, session);
      } finally {
        running.calls -= 1;
      }
    },
    /** Performs an action in a later task, unless {@link pendingActions} takes it first. */
    enqueueAction(action: Action): void {
      if (pending.length >= maxPending)
        throw new ToolError('limit', `More than ${maxPending} actions are pending.`);
      pending.push(action);
      setTimeout(() => {
        const at = pending.indexOf(action);
        if (at === -1 || signal.aborted) return;
        pending.splice(at, 1);
        // The failure is in the log of the extension.
        perform(action).catch(() => undefined);
      }, 0);
    },
    /** Takes the actions that wait. */
    pendingActions: (): readonly Action[] => pending.splice(0),
  };
}

export type SessionWrites = ReturnType<typeof createWrites>;

/** The session, if its model can be chosen. @throws {ToolError} */
function expectChangeableModel(deps: ReadsDeps): HostSession {
  const bound = boundSession(deps);
  if (bound.state.head.model?.provider === replayProvider)
    throw new ToolError('bad-input', 'The session plays a recording, which has its own model.');
  return bound;
}

/** Everything that `app` lets a bound extension read and do. */
export interface SessionApp extends AppReads, SessionWrites {
  /** `switchModel` under another name. */
  readonly setModel: SessionWrites['switchModel'];
}

/** @returns a function that binds one extension to a session; an empty session stands for none */
export function createBinder(
  deps: Omit<WritesDeps, 'session' | 'access' | 'pending'>,
): (session: string, access: Access) => SessionApp {
  const running = { calls: 0 };
  const pending: Action[] = [];
  return (session, access) => {
    const bound = { ...deps, session, access, pending };
    const writes = createWrites(bound, running);
    return { ...createReads(bound), ...writes, setModel: (name) => writes.switchModel(name) };
  };
}
