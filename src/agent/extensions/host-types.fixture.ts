/** A page with a session, as extensions reach it. */

import type { Live } from '../turn/live-state.ts';
import { idle } from '../turn/live-state.ts';
import type { ProviderConfig } from '../providers/provider-types.ts';
import { emptyState } from '../session/reduce.ts';
import type { SessionState } from '../session/session-state.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ModelInfo, ModelRef, UserPart } from '../../runtime/spec/model.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { SessionHead } from '../../runtime/spec/session.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { Checkpoints } from '../../runtime/workspace/checkpoints.ts';
import type { Workspace } from '../../runtime/workspace/workspace.ts';
import type { HostSession, HostSessions, ListedExtension } from './host-types.ts';
import type { ExtensionHost } from './page-host.ts';

const info = (provider: string, model: string): ModelInfo => ({
  ref: { provider, model },
  label: model.toUpperCase(),
  context: 1_000,
  images: true,
  price: null,
});

const providers: readonly ProviderConfig[] = [
  {
    id: 'p1',
    kind: 'openai-chat',
    name: 'Local',
    baseUrl: 'http://secret.internal',
    headers: ['x-secret'],
    byHand: [],
    listedAt: null,
    key: 'kept',
    models: [info('p1', 'small'), info('p1', 'vendor/large')],
  },
  {
    id: 'p2',
    kind: 'anthropic',
    name: 'Cloud',
    baseUrl: '',
    headers: [],
    byHand: [],
    listedAt: null,
    key: 'kept',
    models: [info('p2', 'small'), info('p2', 'other')],
  },
  {
    id: 'replay',
    kind: 'replay',
    name: 'Recordings',
    baseUrl: '',
    headers: [],
    byHand: [],
    listedAt: null,
    key: 'none',
    models: [],
  },
];

export function head(id: string, given: Partial<SessionHead> = {}): SessionHead {
  return { ...emptyState(id).head, folder: 'tools', title: `Title of ${id}`, ...given };
}

export class FakeHost implements ExtensionHost {
  /** The actions that were performed, in order. */
  readonly done: string[] = [];
  readonly heads: SessionHead[] = [];
  readonly listed: ListedExtension[] = [];
  /** Null if the folder has none. */
  workspace: Workspace | null = null;
  readonly checkpoints = new Checkpoints({
    workspace: () => Promise.resolve(this.workspace),
    now: () => 5_000,
  });
  tool: RegisteredTool | null = null;
  state: SessionState;
  live: Live = idle;
  background: { prompt: string; since: number; text: string; calls: [] } | null = null;
  hasSessions = true;
  added = '';
  result: ToolResult | null = null;
  idle: ExtensionHost['idle'] = () => Promise.resolve();

  constructor() {
    const first = head('s', { messages: 2, events: 9, model: { provider: 'p1', model: 'small' } });
    this.heads.push(first);
    this.state = { ...emptyState('s'), head: first, selection: { tools: [], names: [] } };
  }

  folder = (): string => 'tools';

  tools = (): readonly RegisteredTool[] => (this.tool === null ? [] : [this.tool]);

  extensions = (): readonly ListedExtension[] => this.listed;

  sessions = (): HostSessions | null => {
    if (!this.hasSessions) return null;
    return {
      opened: (id) => (id === 's' ? this.#opened() : undefined),
      list: () => this.heads,
      hasFolderOf: ({ folder }) => folder === 'tools',
      fork: (id, n) => {
        this.done.push(`fork ${id} ${n}`);
        return Promise.resolve('copy');
      },
      providers: {
        list: () => providers,
        sync: (_, id) => {
          this.done.push(`sync ${id}`);
          return Promise.resolve(providers[0]?.models ?? []);
        },
      },
    };
  };

  runMessageHooks = (session: string, text: string): Promise<string> => {
    this.done.push(`hooks ${session} ${text}`);
    return Promise.resolve(this.added);
  };

  call = (_: AbortSignal, tool: string, args: string, session: string): Promise<ToolResult> => {
    this.done.push(`call ${tool} ${args} ${session}`);
    if (this.result === null) throw new Error('The test gave no result.');
    return Promise.resolve(this.result);
  };

  runPlan: ExtensionHost['runPlan'] = (plan, session, { extension, file }) => {
    this.done.push(`plan ${JSON.stringify(plan)} ${session} ${extension} ${file}`);
    return Promise.resolve('run-1');
  };

  planRun: ExtensionHost['planRun'] = (id) => {
    const tasks = [{ id: 'a', state: 'done', reason: '', output: '{"n":1.0}' }];
    return Promise.resolve({ id, goal: 'Add', state: 'done', reason: '', tasks });
  };

  show = (session: string): void => {
    this.done.push(`show ${session}`);
  };

  #opened(): HostSession {
    const did = (what: string): void => void this.done.push(what);
    return {
      id: 's',
      state: this.state,
      live: this.live,
      selected: this.tool ? [this.tool.name] : [],
      send: (parts: readonly UserPart[]) => {
        did(`send ${JSON.stringify(parts)}`);
      },
      rename: (title) => {
        did(`rename ${title}`);
      },
      setStepMode: (stepMode) => {
        this.live = { ...this.live, stepMode };
      },
      useModel: ({ provider, model }: ModelRef) => {
        did(`use ${provider} ${model}`);
      },
      show: ({ text }) => {
        did(`show message ${text}`);
      },
      replaceMessages: (messages, summary, from) => {
        did(`replace ${JSON.stringify(messages)} ${summary} ${from}`);
      },
      prompt: () => Promise.resolve([{ title: 'Base text', text: 'Be brief.', tokens: 3 }]),
      background: {
        running: this.background,
        start: (prompt) => {
          if (this.background !== null) throw new ToolError('limit', 'One is already running.');
          this.background = { prompt, since: 0, text: '', calls: [] };
        },
        cancel: () => {
          this.background = null;
        },
      },
    };
  }
}
