/** Test setup for conversations: a fake model, tools, clock and browser, with a real log. */

import { failure } from '../../runtime/call/results.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import type { SessionRights } from '../session/open-sessions.ts';
import { forkFacts, type ReplacedCall } from '../session/fork-session.ts';
import { SessionLog, type SessionLogDeps } from '../session/log/session-log.ts';
import { openPage } from '../session/log/session-log.fixture.ts';
import { FakeBrowser } from '../session/log/session-store.fixture.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import type { Json } from '../../runtime/spec/json.ts';
import type {
  ModelInfo,
  ModelPart,
  ModelRef,
  ModelRequest,
  ToolAnswer,
  Usage,
} from '../../runtime/spec/model.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { SessionTask } from '../../runtime/spec/session.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { LiveSession, type LiveSessionDeps } from './live-session.ts';
import { BuiltInCalls } from './built-in-tools.ts';
import type { LiveSessionsDeps } from './live-sessions.ts';
import { initialFolderStatus } from '../../runtime/open-folder/status.ts';
import type { Problem } from '../../runtime/spec/folder.ts';
import { summaryCompactor } from './compaction.ts';
import { createAgentHooks } from './hooks.ts';

export const model: ModelRef = { provider: 'mine', model: 'large' };
export const usage: Usage = { input: 100, cached: 0, output: 10, reasoning: null };

/** The model's next answer: its parts, or an error. */
export type Said = readonly ModelPart[] | Error | ((request: ModelRequest) => readonly ModelPart[]);

export function says(text: string): ModelPart[] {
  return [
    { type: 'text', id: '1', delta: text },
    { type: 'ended', finish: 'stop', usage },
  ];
}

/** The parts of an answer that calls tools, by wire name and arguments. */
export function asks(...calls: readonly (readonly [wire: string, args: string])[]): ModelPart[] {
  return [
    ...calls.map(([wire, args], n): ModelPart => ({
      type: 'call',
      id: `a${n}`,
      wire,
      arguments: args,
    })),
    { type: 'ended', finish: 'calls', usage },
  ];
}

export function registeredTool(name: string, more: Partial<RegisteredTool> = {}): RegisteredTool {
  return { ...fakeTool(name), hash: '', loadedAt: 0, state: 'ready', ...more };
}

function fileError(message: string): Problem {
  const where = { file: 'm.py', line: null, column: null };
  return { severity: 'error', code: 'import-failed', ...where, message, expected: '', hint: '' };
}

export function success(text: string): ToolResult {
  const { error: _, ...rest } = failure('', text);
  return { ...rest, resultType: 'success', isError: false };
}

const unwatched = { onStart: () => undefined, onStream: () => undefined };

export class FakeAgent {
  readonly browser: FakeBrowser;
  /** The requests that the model received, in order. */
  readonly requests: ModelRequest[] = [];
  readonly calls: ToolCall[] = [];
  readonly refused: unknown[] = [];
  readonly reported: unknown[] = [];
  readonly hooks = createAgentHooks((thrown) => this.reported.push(thrown));
  readonly waits: number[] = [];
  readonly logs: SessionLog[] = [];
  script: Said[] = [];
  unselected: ReadonlySet<string> = new Set();
  tools: RegisteredTool[] = [registeredTool('m:f'), registeredTool('m:g')];
  info: ModelInfo | undefined;
  /** Whether models may write programs in new sessions. */
  programs = false;
  onProgram: LiveSessionDeps['programs']['run'] = () => Promise.resolve(success('ran'));
  /** Called for each animation frame that a session requests. */
  requestFrame: (then: () => void) => void = queueMicrotask;
  /** Resolves when no folder is being read. */
  settled: Promise<void> = Promise.resolve();
  /** False keeps calls waiting, as for approval or in a queue. */
  startsCalls = true;
  onCall: (signal: AbortSignal, call: ToolCall) => Promise<ToolResult> = (_, { arguments: args }) =>
    Promise.resolve(success(args));
  /** Runs between the parts of an answer. */
  onPart: () => Promise<void> = () => Promise.resolve();
  /** The clock's time in milliseconds; it advances by one at each read. */
  time = 0;
  /** The time of the logs, in milliseconds; storage that has failed is tried again later. */
  logTime = 1_000;
  /** Runs during the wait before a retry. */
  onWait: (ms: number) => Promise<void> = () => Promise.resolve();
  #ids = 0;
  readonly #prefix: string;
  /** The load error of a tool file whose tools are missing. */
  fault: string | null = null;
  /** The open folder. */
  folderKey = 'f';
  /** The rights of the latest session, as last set. */
  rights: SessionRights | null = null;

  /** @param visits makes the ids of several pages differ */
  constructor(browser = new FakeBrowser(), visits = 0) {
    this.browser = browser;
    this.#prefix = `v${visits}`;
    this.hooks.compactors.register(summaryCompactor);
  }

  /** Creates a session with a model. @param task what it is for, as the session of a sub-agent */
  begin(task?: SessionTask, folder = { folder: 'tools', folderId: 'f' }): LiveSession {
    const log = SessionLog.begin(this.#logParts(), this.#newId());
    const created = { type: 'created', ...folder } as const;
    log.append(task === undefined ? created : { ...created, task }, { type: 'model', model });
    return this.converse(log);
  }

  /** Copies the latest session up to event `n`, with another outcome of one of its calls. */
  async fork(n: number, replaced: ReplacedCall | null): Promise<LiveSession> {
    const from = this.logs.at(-1);
    if (from === undefined) throw new Error('there is no session');
    const deps = { now: () => (this.time += 1), newId: this.#newId };
    const facts = await forkFacts(from.id, from.events, n, deps, replaced);
    const log = SessionLog.begin(this.#logParts(), this.#newId());
    await log.copy(facts);
    return this.converse(log);
  }

  /** Opens the session again, as after a reload. */
  async open(id: string): Promise<LiveSession> {
    return this.converse(await SessionLog.open(this.#logParts(), id, () => 'reload'));
  }

  converse(log: SessionLog): LiveSession {
    this.logs.push(log);
    return new LiveSession({ ...this.deps(), log });
  }

  deps(): Omit<LiveSessionDeps, 'log'> & Pick<LiveSessionsDeps, 'currentFolder'> {
    const openFolder = (): string => this.folderKey;
    const currentFolder = {
      current: null,
      get reference() {
        return { folder: openFolder() === '' ? '' : 'tools', folderId: openFolder() };
      },
    };
    return {
      hooks: this.hooks,
      registry: {
        list: () => this.tools,
        get: (name) => this.tools.find((tool) => tool.name === name),
        problems: this.fault === null ? [] : [fileError(this.fault)],
      },
      selections: { unselected: () => this.unselected, programs: () => this.programs },
      programs: { run: (...asked) => this.onProgram(...asked) },
      folder: { settled: () => this.settled },
      status: { get: () => ({ ...initialFolderStatus, folderKey: this.folderKey }) },
      currentFolder,
      openSessions: {
        open: (_, rights) => {
          if (rights !== undefined) this.rights = rights;
        },
      },
      checkArguments: () => Promise.resolve([]),
      calls: {
        refuse: (call, result) => this.refused.push([call.tool, result.error]),
        call: (signal, call, onStart, answer) => {
          if (answer) {
            const args = JSON.parse(call.arguments) as Json;
            onStart?.();
            return Promise.resolve(answer(args, call.arguments, signal, unwatched));
          }
          return this.run(signal, call, onStart);
        },
      },
      models: {
        ask: (signal, _, request) => this.#ask(signal, request),
        info: () => this.info,
        recordedMessages: () => [],
      },
      clock: {
        now: () => (this.time += 1),
        newId: this.#newId,
        random: () => 0.5,
        wait: (signal, ms) => {
          const isLong = ms > 100;
          if (isLong) this.waits.push(ms);
          return new Promise((resolve, reject) => {
            if (isLong) void this.onWait(ms).then(() => setTimeout(resolve, 0));
            else setTimeout(resolve, 0);
            signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          });
        },
      },
      messageChars: 500_000,
      nextFrame: (then) => this.requestFrame(then),
      report: (thrown) => this.reported.push(thrown),
    };
  }

  /** The dependencies of a page's sessions besides those of a single one. */
  pageDeps(): Omit<LiveSessionsDeps, 'sessions' | 'defaultModel' | 'isRecording'> {
    const { calls: _, models, registry, status, ...deps } = this.deps();
    const builtIn = new BuiltInCalls();
    const unobserved = { observe: () => () => undefined };
    return {
      ...deps,
      builtIn,
      calls: {
        ...unobserved,
        refuse: (call, result) => {
          this.refused.push([call.tool, result.error]);
          return Promise.resolve();
        },
        call: (signal, call, watch) => {
          const tool = builtIn.tools.find(({ name }) => name === call.tool);
          return tool === undefined
            ? this.run(signal, call, watch?.onStart)
            : builtIn.dispatch.run(signal, tool, call, unwatched);
        },
      },
      providers: {
        ask: (ref) => (signal, request) => models.ask(signal, ref, request, null),
        info: () => this.info,
      },
      recorded: { give: () => undefined },
      registry: Object.assign(registry, unobserved),
      status: { ...status, ...unobserved },
      openSessions: { ...deps.openSessions, close: () => undefined },
    };
  }

  run(signal: AbortSignal, call: ToolCall, onStart?: () => void): Promise<ToolResult> {
    this.calls.push(call);
    if (this.startsCalls) onStart?.();
    return this.onCall(signal, call);
  }

  #logParts(): SessionLogDeps {
    const limits = { eventChars: 1_000_000 };
    const now = (): number => (this.logTime += 1);
    return { ...openPage(this.browser).deps, limits, newId: this.#newId, now };
  }

  readonly #newId = (): string => `${this.#prefix}-${String((this.#ids += 1)).padStart(6, '0')}`;

  async *#ask(signal: AbortSignal, request: ModelRequest): AsyncIterable<ModelPart> {
    this.requests.push(request);
    const next = this.script.shift() ?? says('Done.');
    if (next instanceof Error) throw next;
    for (const part of typeof next === 'function' ? next(request) : next) {
      await this.onPart();
      signal.throwIfAborted();
      yield part;
    }
  }
}

/** Sends a message, and waits for the end of its turn. */
export async function send(session: LiveSession, text: string): Promise<void> {
  session.send([{ type: 'text', text }]);
  await session.settled();
}

/** The tool answers in the latest request. */
export function answers({ requests }: FakeAgent): readonly ToolAnswer[] {
  const tool = requests.at(-1)?.messages.findLast(({ role }) => role === 'tool');
  return tool?.role === 'tool' ? tool.answers : [];
}

export function answerText(agent: FakeAgent): string {
  const [part] = answers(agent)[0]?.parts ?? [];
  return part?.type === 'text' ? part.text : '';
}
