/**
 * The reads that `app` offers to extensions: of a session, of the tools, and of each other. Reads of what the user or a model has
 * written need a power; names, switches and definitions of tools do not.
 */

import type { PromptSection } from '../turn/live-session-types.ts';
import { promptText } from '../turn/prompt.ts';
import { messagesOf } from '../turn/request.ts';
import type { ModelInfo, ModelMessage, ToolDefinition } from '../../runtime/spec/model.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import type { Access } from './access.ts';
import { findModel, nameOf, realProviders } from '../providers/find-model.ts';
import type { ProviderConfig } from '../providers/provider-types.ts';
import type { HostSession, HostSessions, ListedExtension } from './host-types.ts';
import { boundSession, sessionsOf, type ExtensionHost } from './page-host.ts';
import type { Contributions } from './contributions.ts';

/** Limits of listed sessions and models. */
const maxSessions = 1_000;
const maxModels = 2_000;

export interface ProviderSummary {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly models: readonly string[];
}

export interface ModelSummary extends Pick<ModelInfo, 'label' | 'context' | 'images'> {
  /** `provider/model`, as {@link findModel} reads it. */
  readonly name: string;
  readonly id: string;
  readonly provider: string;
}

export interface SessionSummary extends Pick<
  SessionHead,
  'id' | 'title' | 'folder' | 'createdAt' | 'messages'
> {
  /** Address of the session in the page. */
  readonly path: string;
  readonly model: string | null;
  readonly parentId: string | null;
}

export interface ToolSummary extends Pick<
  RegisteredTool,
  'name' | 'label' | 'description' | 'parameters' | 'deferred'
> {
  readonly selected: boolean;
  readonly backgroundSafe: boolean;
}

export interface ReadsDeps {
  /** The session for which the code runs; empty if there is none. */
  readonly session: string;
  readonly access: Access;
  readonly host: ExtensionHost;
  readonly shown: Pick<Contributions, 'commands' | 'shortcuts' | 'status' | 'pickers'>;
}

export function createReads(deps: ReadsDeps) {
  const { access, host, shown } = deps;
  const { need } = access;
  /** The names of the given kind that the folder's extensions have registered. */
  const registered = (kind: string): readonly string[] =>
    host
      .extensions()
      .filter((one) => one.kind === 'external')
      .flatMap((one) => one.registered)
      .flatMap((view) => (view.kind === kind && view.active ? [view.name] : []));
  const listSummaries = (): readonly ToolSummary[] => {
    const selected = new Set(selectedIn(deps));
    return host.tools().map((tool) => summaryOf(tool, selected));
  };
  return {
    /** The messages that the model is sent, oldest first. */
    async conversationMessages(): Promise<readonly ModelMessage[]> {
      await need('read');
      return messagesIn(boundSession(deps), sessionsOf(deps));
    },
    async systemPrompt(): Promise<string> {
      await need('read');
      return promptText(await boundSession(deps).prompt());
    },
    async promptSections(): Promise<readonly PromptSection[]> {
      await need('read');
      return boundSession(deps).prompt();
    },
    async sessionTitle(): Promise<string> {
      await need('read');
      return boundSession(deps).state.head.title;
    },
    /** The provider of the session's model; null if none is chosen. */
    async provider(): Promise<ProviderSummary | null> {
      await need('models');
      const { model } = boundSession(deps).state.head;
      const all = realProviders(sessionsOf(deps).providers.list());
      const provider = all.find(({ id }) => id === model?.provider);
      return provider === undefined ? null : providerSummary(provider);
    },
    async providers(): Promise<readonly ProviderSummary[]> {
      await need('models');
      return realProviders(sessionsOf(deps).providers.list()).map(providerSummary);
    },
    async availableModels(): Promise<readonly ModelSummary[]> {
      await need('models');
      const providers = realProviders(sessionsOf(deps).providers.list());
      const models = providers.flatMap((provider) => provider.models).slice(0, maxModels);
      return models.map((model) => modelSummary(model, providers));
    },
    /** Finds a model by its name. @throws {ToolError} if there is no such model, or several */
    async resolveModel(name: string): Promise<ModelSummary> {
      await need('models');
      const providers = realProviders(sessionsOf(deps).providers.list());
      return modelSummary(
        findModel(providers, name, { preferred: currentProvider(deps) }),
        providers,
      );
    },
    /** The sessions of the open folder, newest first. */
    async sessions(): Promise<readonly SessionSummary[]> {
      await need('sessions');
      const sessions = sessionsOf(deps);
      const providers = sessions.providers.list();
      return sessions
        .list()
        .filter((head) => sessions.hasFolderOf(head))
        .toSorted((a, b) => b.createdAt - a.createdAt)
        .slice(0, maxSessions)
        .map(({ id, title, model, folder, createdAt, messages, forkOf }) => ({
          id,
          path: `#/sessions/${id}`,
          title,
          folder,
          createdAt,
          messages,
          model: model === null ? null : nameOf(providers, model),
          parentId: forkOf,
        }));
    },
    stepMode: async (): Promise<boolean> => Promise.resolve(boundSession(deps).live.stepMode),
    isBackgroundRunning: async (): Promise<boolean> =>
      Promise.resolve(boundSession(deps).background.running !== null),
    tools: async (): Promise<readonly ToolSummary[]> => Promise.resolve(listSummaries()),
    backgroundSafeTools: async (): Promise<readonly ToolSummary[]> =>
      Promise.resolve(listSummaries().filter(({ backgroundSafe }) => backgroundSafe)),
    /** Returns null if there is no such tool. */
    findTool: async (name: string): Promise<ToolSummary | null> =>
      Promise.resolve(listSummaries().find((tool) => tool.name === name) ?? null),
    /** The selected tools, as a model receives them; all tools outside a session. */
    toolDefs: async (): Promise<readonly ToolDefinition[]> =>
      Promise.resolve(
        listSummaries()
          .filter(({ selected }) => selected)
          .map(({ name, description, parameters }) => ({ name, description, parameters })),
      ),
    commands: async () =>
      Promise.resolve(
        shown.commands.map(({ name, description, immediate, from }) => ({
          name,
          description,
          immediate,
          file: from.file,
        })),
      ),
    shortcuts: async () =>
      Promise.resolve(
        shown.shortcuts.map(({ key, description, from }) => ({
          key,
          description,
          file: from.file,
        })),
      ),
    statusSections: async () =>
      Promise.resolve(
        shown.status.map(({ key, side, order, text, from }) => ({
          key,
          side,
          order,
          text,
          file: from.file,
        })),
      ),
    /** The kinds of messages for which there is a renderer. */
    renderers: async (): Promise<readonly string[]> => Promise.resolve(registered('renderer')),
    streamProviders: async (): Promise<readonly string[]> =>
      Promise.resolve(registered('stream provider')),
    /** The name of the active compactor; null if it is Cloche's own. */
    compactor: async (): Promise<string | null> =>
      Promise.resolve(registered('compactor').at(-1) ?? null),
    extInfos: async (): Promise<readonly ListedExtension[]> => Promise.resolve(host.extensions()),
    /** Name of the open folder. */
    cwd: async (): Promise<string> => Promise.resolve(host.folder()),
  };
}

export type AppReads = ReturnType<typeof createReads>;

function messagesIn({ state }: HostSession, { providers }: HostSessions): readonly ModelMessage[] {
  const { model } = state.head;
  const provider = providers.list().find(({ id }) => id === model?.provider);
  const info = provider?.models.find(({ ref }) => ref.model === model?.model);
  // The limits are those of requests, so that their cached messages are used.
  const images = info === undefined || info.images;
  return messagesOf(state, model ?? { provider: '', model: '' }, { images });
}

function selectedIn(deps: ReadsDeps): readonly string[] {
  if (deps.session === '') return deps.host.tools().map(({ name }) => name);
  return boundSession(deps).selected;
}

/** The provider of the session's model; null if there is none. */
export function currentProvider({
  host,
  session,
}: Pick<ReadsDeps, 'host' | 'session'>): string | null {
  const bound = host.sessions()?.opened(session);
  return bound?.state.head.model?.provider ?? null;
}

function summaryOf(tool: RegisteredTool, selected: ReadonlySet<string>): ToolSummary {
  const { name, label, description, parameters, background_safe, deferred } = tool;
  return {
    name,
    label,
    description,
    parameters,
    deferred,
    selected: selected.has(name),
    backgroundSafe: background_safe,
  };
}

function providerSummary({ id, name, kind, models }: ProviderConfig): ProviderSummary {
  return { id, name, kind, models: models.slice(0, maxModels).map(({ ref }) => ref.model) };
}

export function modelSummary(
  { ref, label, context, images }: ModelInfo,
  providers: Parameters<typeof nameOf>[0],
): ModelSummary {
  return {
    name: nameOf(providers, ref),
    id: ref.model,
    provider: ref.provider,
    label,
    context,
    images,
  };
}
