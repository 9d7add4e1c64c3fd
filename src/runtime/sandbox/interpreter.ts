/**
 * A Python interpreter in a separate sandbox frame. An interpreter is ended whenever its state is
 * in doubt.
 */

import { transfer, type Remote } from 'comlink';
import { wait } from '../async/wait.ts';
import {
  type Broker,
  type Loss,
  lossError,
  type OrLost,
  orThrow,
  type PythonFacts,
} from '../protocol/frame.ts';
import type { InstallRequest, ResolveAnswer, ResolveRequest } from '../protocol/packages.ts';
import type { DecisionKey, LibraryFiles, PythonFiles } from '../protocol/python.ts';
import { parseExact } from '../spec/exact-json.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type {
  Inspection,
  PackedInspection,
  RegisteredTool,
  SpecProposal,
  Tool,
} from '../spec/tool.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { SettingValues } from '../spec/setting.ts';
import type { Wheel } from '../spec/wheel.ts';
import { copyFiles, folderStep, splitIntoBatches } from './file-batches.ts';
import type { SandboxFrame } from './frame.ts';
import { pulse, watchPulse, type PulseWatch } from './heartbeat.ts';
import { InterpreterCalls, newId } from './interpreter-calls.ts';
import { InterpreterWorkspace, type FindWorkspace } from './interpreter-workspace.ts';
import { createPacer, type Pacer } from '../async/pace.ts';

/** Milliseconds that a callable of a tool spec may take, including messages both ways. */
const decisionMs = 1_200;
/** Longest time to compare the result of a saved test with what it expects; milliseconds. */
const judgingMs = 10_000;
/** Milliseconds that one round of the package resolver may take. */
const resolveMs = 60_000;
/** Milliseconds that an idle interpreter may take to answer a ping. */
const respondMs = 1_000;
/** Time to wait for answers that were sent before a loss: normally, and at most for long answers; milliseconds. */
const answerMs = 50;
const longAnswerMs = 5_000;

export class Interpreter {
  readonly name: string;
  /** Resolves when the interpreter has ended. Never rejects. */
  readonly ended: Promise<Loss>;
  /**
   * The interpreter's copy of the tools folder's workspace; null until `openWorkspace` is called.
   */
  workspace: InterpreterWorkspace | null = null;
  /** Called when something in Python waits for the libraries; see {@link addLibraries}. */
  onLibraryWanted: () => void = () => undefined;
  /** Starts a call, or only checks its arguments: see {@link InterpreterCalls.call}. */
  readonly call: InterpreterCalls['call'];
  readonly #frame: SandboxFrame;
  readonly #broker: Remote<Broker>;
  readonly #calls: InterpreterCalls;
  /** Aborts with the reason when the interpreter has ended. */
  readonly #life = new AbortController();
  readonly #pulse: PulseWatch;
  #onStep: (step: string) => void = () => undefined;
  #resolveEnded: (loss: Loss) => void = () => undefined;
  #loss: Loss | null = null;
  /** The interpreter is lost, although pending answers may still arrive. */
  #isLost = false;
  /** Whether the resolver has been loaded. */
  #canResolve = false;

  constructor(name: string, frame: SandboxFrame) {
    this.name = name;
    this.#frame = frame;
    this.#broker = frame.broker;
    this.#calls = new InterpreterCalls(frame.broker, this.#life.signal, frame.messages, {
      onStep: (step) => this.#onStep(step),
      onLibraryWanted: () => this.onLibraryWanted(),
      onLost: (loss) => {
        this.#isLost = true;
        this.#loseSoon(loss, longAnswerMs);
      },
    });
    this.call = this.#calls.call;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    frame.onGone(() => {
      this.#lose({ reason: 'crashed', detail: 'The sandbox is gone' });
    });
    // A sandbox whose process has died may give no notice.
    const ping = (): Promise<true> => this.#broker.ping();
    this.#pulse = watchPulse(ping, pulse, () => {
      this.#lose({ reason: 'crashed', detail: 'The sandbox does not respond' });
    });
    frame.onMessage(() => this.#pulse.alive());
  }

  get alive(): boolean {
    return !this.#isLost && this.#loss === null && this.#frame.isConnected();
  }

  /** Lets the sandbox compile Pyodide before everything else for a start has arrived. */
  compile(wasm: Blob): void {
    void this.#broker.compile(wasm);
  }

  /** Completes the standard library; null if that is not possible now. Tools may already be running. */
  addLibraries(libraries: LibraryFiles | null): void {
    void this.#broker.addLibraries(libraries);
  }

  /** Adds the sources of the standard library's byte code, after the libraries. */
  addSources(stdlibSources: Blob): void {
    void this.#broker.addSources(stdlibSources);
  }

  /**
   * Starts Python from a snapshot, or from its files if `snapshot` is null.
   * @param arrived resolves when everything else that the start waits for has been handed over
   * @throws {ToolError}
   */
  async start(
    signal: AbortSignal,
    files: PythonFiles,
    arrived: Promise<unknown>,
    snapshot: Blob | null,
    limits: Limits,
    onStep: (step: string) => void,
  ): Promise<void> {
    this.#onStep = onStep;
    const started = this.#broker.start({ files, snapshot, limits });
    await wait(signal, arrived, { lost: this.#life.signal });
    const deadline = snapshot === null ? limits.startMs : limits.restoreMs;
    await this.#reply<PythonFacts>(signal, started, deadline, 'Starting Python');
  }

  /**
   * Makes a snapshot instead of starting. Its bytes are valid until this interpreter is disposed of. @throws
   * {ToolError}
   */
  makeSnapshot(
    signal: AbortSignal,
    files: PythonFiles,
    libraries: LibraryFiles,
    forPackages: boolean,
    limits: Limits,
  ): Promise<Blob> {
    const snapshot = this.#broker.makeSnapshot(files, libraries, forPackages);
    return this.#reply<Blob>(signal, snapshot, limits.startMs, 'Creating a snapshot of Python');
  }

  /** Compiles wheels of pure packages. Their bytes are valid until this interpreter is disposed of. @throws {ToolError} */
  compilePackages(signal: AbortSignal, wheels: readonly Wheel[], limits: Limits): Promise<Blob> {
    const compiled = this.#broker.compilePackages({ wheels });
    return this.#reply<Blob>(signal, compiled, limits.startMs, 'Compiling packages');
  }

  /**
   * Installs packages. Call it before opening a folder.
   * @throws {ToolError}; the interpreter must not be used afterwards
   */
  async install(signal: AbortSignal, request: InstallRequest, limits: Limits): Promise<void> {
    const asked = this.#broker.install(newId(), request);
    await this.#reply<null>(signal, asked, limits.startMs, 'Installing packages');
  }

  /**
   * Resolves which wheels satisfy the declared requirements. Afterwards the interpreter can be used for nothing else.
   * @param archive the resolver's modules
   * @throws {ToolError}
   */
  resolve(signal: AbortSignal, archive: Blob, request: ResolveRequest): Promise<ResolveAnswer> {
    const asked = this.#broker.resolve(newId(), this.#canResolve ? null : archive, request);
    this.#canResolve = true;
    return this.#reply<ResolveAnswer>(signal, asked, resolveMs, 'Resolving packages');
  }

  /** Copies a folder's files into the interpreter, which from then on serves only this folder. @throws {ToolError} */
  async openFolder(
    signal: AbortSignal,
    { name, files, folders, functionsAreTools }: FolderSnapshot,
    limits: Limits,
  ): Promise<void> {
    const batches = [...splitIntoBatches(files)];
    for (const [index, batch] of batches.entries()) {
      const { copies, buffers } = copyFiles(batch);
      const last = index === batches.length - 1;
      const createdFolders = last ? folders : [];
      const handed = transfer(copies, buffers);
      const options = { last, functionsAreTools: functionsAreTools === true };
      const put = this.#broker.putFiles(newId(), folderStep(name), handed, createdFolders, options);
      await this.#reply<null>(signal, put, limits.startMs, 'Copying files');
    }
  }

  /**
   * Changes files of the open folder, and drops the modules of changed files and of files that import them.
   * Call it only while no call runs.
   * @returns the files whose modules will be imported again
   * @throws {ToolError}
   */
  async updateFiles(
    signal: AbortSignal,
    { name, folders }: FolderSnapshot,
    { written, removed, cameOrWent }: FolderChanges,
    limits: Limits,
  ): Promise<ReadonlySet<string>> {
    const dropped = new Set<string>();
    for (const [index, batch] of [...splitIntoBatches(written)].entries()) {
      const { copies, buffers } = copyFiles(batch);
      const gone = index === 0 ? removed : [];
      const changes = { written: copies, removed: gone, folders, cameOrWent };
      const asked = this.#broker.updateFiles(newId(), folderStep(name), transfer(changes, buffers));
      const what = 'Copying changed files';
      const reply = await this.#reply<readonly string[]>(signal, asked, limits.startMs, what);
      for (const file of reply) dropped.add(file);
    }
    return dropped;
  }

  /**
   * Sets the values of the settings that files declare. Call it only while no call runs.
   * @returns the files that will be imported again
   * @throws {ToolError}
   */
  async setSettings(
    signal: AbortSignal,
    values: SettingValues,
    limits: Limits,
  ): Promise<ReadonlySet<string>> {
    const asked = this.#broker.setSettings(newId(), JSON.stringify(values));
    const what = 'Setting the values of settings';
    return new Set(await this.#reply<readonly string[]>(signal, asked, limits.startMs, what));
  }

  /** Gives the interpreter's tools access to a copy of the workspace. */
  openWorkspace(find: FindWorkspace): void {
    this.workspace = new InterpreterWorkspace(this.#broker, this.#life.signal, find);
  }

  /**
   * Imports tool files one after the other and reports on each, in order. The time limit applies to each file.
   * @param before an earlier request; reports, and the time limit of the first file, begin only after it
   * @throws {ToolError} if a file did not answer; rethrows errors of `before` and `onReport`
   */
  async inspect(
    signal: AbortSignal,
    files: readonly string[],
    limits: Limits,
    onReport: (inspection: Inspection) => void,
    before?: Promise<unknown>,
  ): Promise<void> {
    if (files.length === 0) return;
    const id = newId();
    const pacer = createPacer();
    let asked: Promise<OrLost<readonly PackedInspection[]>> = this.#broker.inspect(
      id,
      files.map((file) => ({ id: newId(), file })),
    );
    await before;
    for (let ended = 0; ended < files.length;) {
      const what = `The import of ${files[ended] ?? ''}`;
      const reports = await this.#reply(signal, asked, limits.importMs, what);
      if (reports.length === 0) throw lossError({ reason: 'protocol', detail: 'did not answer' });
      ended += reports.length;
      // Requests the next reports before these are read.
      if (ended < files.length) asked = this.#broker.inspected(id);
      for (const report of reports) onReport(await unpack(report, pacer));
    }
  }

  /**
   * Proposes specs for the functions of a tool file, which is imported for that.
   * @param names ids of the tools to write; null: all
   * @throws {ToolError}
   */
  propose(
    signal: AbortSignal,
    file: string,
    names: readonly string[] | null,
    limits: Limits,
  ): Promise<SpecProposal> {
    const asked = this.#broker.propose(newId(), file, JSON.stringify(names));
    // The file is imported as it is, and again with its new text.
    return this.#reply<SpecProposal>(signal, asked, 2 * limits.importMs, `The import of ${file}`);
  }

  /** Asks the tool's `concurrency_safe` callable. False if it raises or takes too long. */
  mayOverlap(signal: AbortSignal, tool: RegisteredTool, args: JsonText): Promise<boolean> {
    return this.#decide(signal, tool, 'concurrency_safe', args, { otherwise: false });
  }

  /** Asks the tool's `requires_approval` callable. True if it raises or takes too long. */
  needsApproval(signal: AbortSignal, tool: RegisteredTool, args: JsonText): Promise<boolean> {
    return this.#decide(signal, tool, 'requires_approval', args, { otherwise: true });
  }

  /** Resolves if the interpreter answers a ping in time. @throws {ToolError} */
  async respond(signal: AbortSignal): Promise<void> {
    const what = 'The answer to a ping';
    await wait(signal, this.#broker.ping(), {
      lost: this.#life.signal,
      deadlineMs: respondMs,
      what,
    });
  }

  /** Judges a saved test. @throws {ToolError} if that takes too long */
  async judge(
    signal: AbortSignal,
    expect: JsonText,
    outcome: JsonText,
  ): Promise<readonly string[]> {
    const asked = this.#broker.judge(newId(), expect, outcome);
    return this.#reply<readonly string[]>(signal, asked, judgingMs, 'Comparing the result');
  }

  /** Ends the interpreter immediately; pending requests fail. */
  dispose(): void {
    this.#lose({ reason: 'terminated', detail: 'The interpreter was stopped' });
  }

  /** Asks a callable of a tool spec. @param options.otherwise the answer if it raises or takes too long */
  #decide(
    signal: AbortSignal,
    { name, source }: RegisteredTool,
    key: DecisionKey,
    args: JsonText,
    { otherwise }: { otherwise: boolean },
  ): Promise<boolean> {
    const asked = this.#broker.decide(newId(), name, source.file, key, args);
    return this.#reply<boolean>(signal, asked, decisionMs, 'Asking').catch(() => otherwise);
  }

  async #reply<T>(
    signal: AbortSignal,
    asked: Promise<OrLost<T>>,
    deadlineMs: number,
    what: string,
  ): Promise<T> {
    return orThrow(await wait(signal, asked, { lost: this.#life.signal, deadlineMs, what }));
  }

  /** Delays the loss so that answers already on their way arrive first, because they say more. */
  #loseSoon(loss: Loss, waitMs: number): void {
    setTimeout(() => {
      if (this.#calls.arriving && waitMs > 0) this.#loseSoon(loss, waitMs - answerMs);
      else this.#lose(loss);
    }, answerMs);
  }

  #lose(loss: Loss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.#pulse.stop();
    this.#frame.remove();
    // The allocator must know of the loss before a failed call asks for another interpreter.
    this.#resolveEnded(loss);
    this.#calls.lose(loss);
    this.#life.abort(lossError(loss));
  }
}

/** The methods that the pool needs of an interpreter with the folder's files. */
export type FolderPython = Pick<
  Interpreter,
  | 'name'
  | 'workspace'
  | 'alive'
  | 'ended'
  | 'inspect'
  | 'propose'
  | 'updateFiles'
  | 'setSettings'
  | 'mayOverlap'
  | 'needsApproval'
  | 'judge'
  | 'respond'
  | 'call'
  | 'dispose'
>;

/** An interpreter that has not run any tool code. */
export type PristinePython = FolderPython & Pick<Interpreter, 'openFolder'>;

async function unpack(packed: PackedInspection, pacer: Pacer): Promise<Inspection> {
  const tools: Tool[] = [];
  for (const text of packed.tools) {
    if (pacer.mustRest()) await pacer.rest();
    // The broker has validated this text.
    tools.push(parseExact(text) as unknown as Tool);
  }
  return { ...packed, tools };
}
