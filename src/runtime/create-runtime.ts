/** Opens a tools folder in the sandbox for any page: without the app, its interface, models or storage. */

import { source as networkScript } from 'virtual:cloche/network-sender';
import { wait } from './async/wait.ts';
import { CallProgress } from './call-progress.ts';
import { connectCalls, type CallsConnection } from './connect/calls.ts';
import { connectSandbox, type SandboxConnection } from './connect/sandbox.ts';
import { handleSource } from './folder/handle-source.ts';
import { type FolderSource, memorySource } from './folder/source.ts';
import { pathFault, showPath } from './folder/path-rules.ts';
import { networkSender } from './grants/network-sender.ts';
import type { Question, Reply } from './grants/questions.ts';
import { requestTarget } from './grants/request-parts.ts';
import type {
  Runtime,
  RuntimeCall,
  RuntimeFile,
  RuntimeFiles,
  RuntimeGrants,
  RuntimeOptions,
  RuntimeQuestion,
  RuntimeReply,
  RuntimeStatus,
} from './runtime-types.ts';
import { fetchFolder } from './open-folder/fetched-folder.ts';
import { initialFolderStatus, StatusHolder, type FolderStatus } from './open-folder/status.ts';
import { SandboxFiles, startScript } from './sandbox/assets.ts';
import { newCall } from './spec/call.ts';
import { errorText, ToolError } from './spec/error.ts';
import type { FolderFile, Problem } from './spec/folder.ts';
import { defaultLimits, type Limits } from './spec/limits.ts';
import { nearestNames } from './spec/nearest-names.ts';
import type { ToolResult } from './spec/result.ts';
import type { RegisteredTool } from './spec/tool.ts';
import { noPolicies, noSnapshots, packagesInMemory } from './storage/no-storage.ts';

/**
 * Opens a tools folder. Resolves when its tools can be called.
 *
 * @throws {ToolError} `bad-input` for an invalid folder or policy, `aborted` by the signal, `not-found` or `integrity`
 * for assets that cannot be used, or why the folder cannot be read or Python does not start
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { signal = new AbortController().signal } = options;
  if (signal.aborted) throw abortedError();
  const runtime = new FolderRuntime(options);
  try {
    await wait(signal, runtime.open(signal), { onAbort: abortedError });
    return runtime;
  } catch (thrown) {
    runtime.dispose();
    throw thrown;
  }
}

class FolderRuntime implements Runtime {
  readonly #options: RuntimeOptions;
  readonly #parts: CallsConnection;
  readonly #sandbox: SandboxConnection;
  readonly #limits: Limits;
  readonly #status = new StatusHolder(initialFolderStatus, report);
  readonly #networkWorkers = new Set<Worker>();
  readonly #asked = new Set<number>();
  /** Null if the folder is not made of files. */
  #files: readonly FolderFile[] | null = null;
  #isDisposed = false;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    const limits = { ...defaultLimits, ...options.limits };
    this.#limits = limits;
    const base = assetsFolder(options.assetsUrl);
    const status = this.#status;
    const files = new SandboxFiles(
      base.href,
      `Serve the folder “assets” of the npm package under ${base.href}, so that this page can fetch it.`,
    );
    this.#parts = connectCalls({
      document,
      status,
      limits,
      folderIds: new WeakMap(),
      report,
      // There are no sessions that select tools, and there is no log of calls.
      selected: () => true,
      isApproved: ({ caller }) => caller === 'user',
      begin: () => ({ accepted: null, end: () => undefined }),
      approve: (...asked) => this.#sandbox.policy.approve(...asked),
      outputMask: () => Promise.resolve(this.#sandbox.policy.outputMask()),
      openInterpreters: (...asked) =>
        Promise.resolve().then(() => this.#sandbox.openInterpreters(...asked)),
      preparePackages: (...asked) => this.#sandbox.preparePackages(...asked),
    });
    this.#sandbox = connectSandbox({
      base,
      window,
      files,
      limits,
      status,
      currentFolder: this.#parts.currentFolder,
      // The page around it may have more to do.
      sparing: true,
      framed: false,
      isUnanswered: options.onQuestion === undefined,
      // Nothing is stored, so no folder has an id to wait for; and there are no sessions and no workspaces.
      policyStore: noPolicies,
      snapshotStore: noSnapshots,
      packageStore: packagesInMemory(),
      sessions: { isAllowed: () => false, taskOf: () => null, allowInRun: () => undefined },
      startNetwork: () => this.#startNetwork(),
      remembered: () => Promise.resolve(),
      findWorkspace: () => () => null,
      onStorageFailure: report,
      report,
    });
    files.fetch();
    this.#sandbox.policy.questions.observe((list) => this.#answer(list));
    const { onStatus } = options;
    if (onStatus !== undefined) status.observe((now) => onStatus(toRuntimeStatus(now)));
  }

  /** @throws {ToolError} */
  async open(signal: AbortSignal): Promise<void> {
    const source = await this.#source(signal);
    if (signal.aborted) throw abortedError();
    const { folder } = this.#parts;
    const opening = folder.open(source);
    // The policy of the folder exists since its opening began.
    this.#applyPolicy();
    await opening;
    if (folder.failure !== null) throw asToolError(folder.failure);
  }

  get tools(): readonly RegisteredTool[] {
    return this.#parts.registry.list();
  }

  get problems(): readonly Problem[] {
    return this.#parts.registry.problems;
  }

  get grants(): RuntimeGrants {
    const { policies } = this.#sandbox.policy;
    return {
      get origins() {
        return policies.current.allowed;
      },
      allow: (origin) => policies.current.grant(grantable(origin), 'visit'),
      revoke: (origin) => policies.current.revoke(origin),
    };
  }

  observe(listener: () => void): () => void {
    return this.#parts.registry.observe(listener);
  }

  async call(
    signal: AbortSignal,
    tool: string,
    argumentsText: string,
    { onStart, onUpdate, onOutput, session = '', approved = false }: RuntimeCall = {},
  ): Promise<ToolResult> {
    this.#assertOpen();
    const known = this.#parts.registry.get(tool);
    if (known === undefined) throw this.#noTool(tool);
    // Tools that require approval run without a question only for this caller (`isApproved` above).
    const caller = approved ? 'user' : 'page';
    const call = newCall(caller, known.name, argumentsText, { sessionId: session });
    const progress = new CallProgress(onUpdate, onOutput);
    const result = await this.#parts.calls.call(signal, call, {
      onStart: () => onStart?.(),
      onStream: (stream) => progress.take(stream),
    });
    try {
      progress.end(result);
    } catch (thrown) {
      report(thrown);
    }
    return result;
  }

  async update(files?: RuntimeFiles): Promise<void> {
    this.#assertOpen();
    const { folder } = this.#parts;
    if (files !== undefined) {
      if (this.#files === null)
        throw new ToolError(
          'not-supported',
          'The folder of this runtime was not given as files',
          'Change the folder itself, or create another runtime from the files.',
        );
      this.#files = folderFiles(files);
    }
    await folder.refresh();
    await folder.settled();
    if (folder.failure !== null) throw asToolError(folder.failure);
  }

  endSession(session: string): void {
    this.#parts.interpreters.current?.endSession(session);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#parts.folder.close();
    this.#sandbox.interpreters.dispose();
    for (const worker of this.#networkWorkers) worker.terminate();
    this.#networkWorkers.clear();
  }

  async #source(signal: AbortSignal): Promise<FolderSource> {
    const { folder } = this.#options;
    if (typeof folder === 'string' || folder instanceof URL) {
      const send = networkSender(() => this.#startNetwork());
      const isOnline = (): boolean => navigator.onLine;
      return fetchFolder(signal, String(folder), { send, limits: this.#limits, isOnline });
    }
    if (isDirectoryHandle(folder)) return handleSource(folder);
    this.#files = folderFiles(folder);
    const { functionsAreTools = false } = this.#options;
    return memorySource('tools', () => this.#files ?? [], functionsAreTools);
  }

  #startNetwork(): Worker {
    this.#assertOpen();
    const worker = startScript(networkScript, 'network');
    this.#networkWorkers.add(worker);
    return worker;
  }

  #applyPolicy(): void {
    const { network = [], localNetwork = false, packages } = this.#options.policy ?? {};
    const { current } = this.#sandbox.policy.policies;
    if (localNetwork) current.allowLocal(true);
    for (const origin of network) current.grant(grantable(origin), 'visit');
    if (packages !== undefined) current.allowPackages(packages === 'allow' ? 'visit' : 'never');
  }

  #answer(list: readonly Question[]): void {
    const { questions } = this.#sandbox.policy;
    for (const question of list) {
      if (this.#asked.has(question.id)) continue;
      this.#asked.add(question.id);
      void this.#replyTo(question).then(({ reply, reason }) => {
        this.#asked.delete(question.id);
        questions.answer(question.id, reply, reason);
      });
    }
  }

  async #replyTo(question: Question): Promise<{ reply: Reply; reason: string }> {
    const { onQuestion } = this.#options;
    // Extensions, plans and other sites exist in the app only.
    if (onQuestion === undefined || !isForPage(question)) return { reply: 'no', reason: '' };
    try {
      return { reply: replyFor(question, await onQuestion(question)), reason: '' };
    } catch (thrown) {
      report(thrown);
      return { reply: 'no', reason: 'The page could not answer.' };
    }
  }

  #assertOpen(): void {
    if (this.#isDisposed)
      throw new ToolError(
        'no-folder',
        'This runtime has been disposed',
        'Create another one with createRuntime.',
      );
  }

  #noTool(name: string): ToolError {
    const names = this.tools.map((tool) => tool.name);
    const nearest = nearestNames(name, names).join(', ');
    return new ToolError(
      'not-found',
      `There is no tool ${showPath(name)}`,
      names.length === 0
        ? 'The folder has no tool that can run. See the problems of the runtime.'
        : `The folder has ${nearest}.`,
    );
  }
}

function report(thrown: unknown): void {
  reportError(thrown);
}

function abortedError(): ToolError {
  return new ToolError('aborted', 'Opening the tools folder was cancelled');
}

function asToolError(thrown: unknown): ToolError {
  if (thrown instanceof ToolError) return thrown;
  return new ToolError('bad-input', `The folder could not be opened: ${errorText(thrown)}`);
}

/** @throws {ToolError} */
function assetsFolder(given: URL | string | undefined): URL {
  const { url: module } = import.meta;
  const text = given === undefined ? new URL('.', module).href : String(given);
  const folder = text.endsWith('/') ? text : `${text}/`;
  if (URL.canParse(folder, document.baseURI)) return new URL(folder, document.baseURI);
  throw new ToolError(
    'bad-input',
    `assetsUrl is not an address: ${showPath(text)}`,
    'Pass the address of the folder that contains “assets” of the npm package.',
  );
}

const encoder = new TextEncoder();

/** WebKitGTK has no such handles. */
function isDirectoryHandle(
  folder: FileSystemDirectoryHandle | RuntimeFiles,
): folder is FileSystemDirectoryHandle {
  return 'FileSystemDirectoryHandle' in globalThis && folder instanceof FileSystemDirectoryHandle;
}

/** @throws {ToolError} */
function folderFiles(files: RuntimeFiles): readonly FolderFile[] {
  const list: readonly (readonly [unknown, unknown])[] = Array.isArray(files)
    ? Array.from(files as readonly RuntimeFile[], ({ path, content }) => [path, content])
    : Object.entries(files);
  if (list.length === 0) throw badFolder('The folder has no files');
  const paths = new Set<unknown>();
  const modifiedAt = Date.now();
  return list.map(([path, content]) => {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    if (typeof path !== 'string' || !(bytes instanceof Uint8Array))
      throw badFolder('A file has no path, or its content is neither a string nor a Uint8Array');
    const fault = pathFault(path) ?? (paths.has(path) ? 'another file has its path' : undefined);
    if (fault !== undefined)
      throw badFolder(`The file “${showPath(path)}” cannot be used: ${fault}`);
    paths.add(path);
    return { path, bytes, size: bytes.byteLength, modifiedAt };
  });
}

function badFolder(message: string): ToolError {
  return new ToolError(
    'bad-input',
    message,
    "Pass files such as { 'hello.py': 'def hello() -> str: …' }, a directory handle, or an address.",
  );
}

/** Returns the origin if it can be granted. @throws {ToolError} */
function grantable(origin: string): string {
  const target = requestTarget(origin, window.location.origin);
  const isOwn = URL.canParse(origin) && new URL(origin).origin === window.location.origin;
  const unlike = 'why' in target ? target.why : 'it is an address, not an origin';
  const why = isOwn ? 'no tool may reach the origin of this page' : unlike;
  if ('origin' in target && target.origin === origin) return origin;
  throw new ToolError(
    'bad-input',
    `Requests to ${showPath(origin)} cannot be granted: ${why}`,
    'Pass an origin such as https://api.example.org, without a path.',
  );
}

function isForPage(question: Question): question is RuntimeQuestion {
  return ['network', 'approve', 'call', 'packages'].includes(question.kind);
}

/** Packages cannot be allowed for a call, and questions of the tool itself only for it. */
function replyFor({ kind }: RuntimeQuestion, reply: RuntimeReply): Reply {
  if (reply !== 'once' && reply !== 'always') return 'no';
  if (kind === 'packages') return 'visit';
  if (kind === 'approve') return 'once';
  return kind === 'network' && reply === 'always' ? 'visit' : reply;
}

function toRuntimeStatus({ phase, done, total, python, pythonStep }: FolderStatus): RuntimeStatus {
  return { phase, done, total, python: python === 'starting' ? pythonStep : '' };
}
