/** One Python interpreter, alone in a sealed frame: started, asked, and ended when anything is in doubt. */

import { transfer, type Remote } from 'comlink';
import { wait } from '../async/wait.ts';
import type { Broker, FromBroker, Loss, OrLost, PythonFacts } from '../protocol/frame.ts';
import type { ResolveAnswer, ResolveRequest } from '../protocol/packages.ts';
import type { DecisionKey, ToolWorkerAssets } from '../protocol/python.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection, PackedInspection } from '../spec/inspection.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { Wheel } from '../spec/wheel.ts';
import { copied, folderStep, inBatches } from './file-batches.ts';
import type { SandboxFrame } from './frame.ts';
import { pulse, watchPulse } from './heartbeat.ts';
import { InterpreterCalls } from './interpreter-calls.ts';
import { InterpreterWorkspace, type FindWorkspace } from './interpreter-workspace.ts';
import { lossError, orThrow } from './loss-error.ts';
import { newId } from './interpreter-calls.ts';
import { createPacer } from '../async/pace.ts';
import type { Tool } from '../spec/tool.ts';

/** How long a spec's own callable may take, the way to it and back included; milliseconds. */
const decisionMs = 1_200;
/** How long one round of the resolver may take; milliseconds. */
const resolveMs = 60_000;
/** How much earlier than a loss itself the answers that it gives rise to are expected, long ones at most; milliseconds. */
const [answerMs, longAnswerMs] = [50, 5_000];

export class Interpreter {
  readonly name: string;
  /** Resolves when the interpreter is no more; never rejects. */
  readonly ended: Promise<Loss>;
  /** Its copy of the workspace of its tools folder; null where nobody has opened one. */
  workspace: InterpreterWorkspace | null = null;
  readonly #frame: SandboxFrame;
  readonly #broker: Remote<Broker>;
  readonly #calls: InterpreterCalls;
  /** Aborts with the reason when the interpreter is no more. */
  readonly #life = new AbortController();
  readonly #stopPulse: () => void;
  #onStep: (step: string) => void = () => undefined;
  #tellEnd: (loss: Loss) => void = () => undefined;
  #loss: Loss | null = null;
  /** It is lost, though those who wait may not have been told. */
  #going = false;
  /** The resolver is in it. */
  #canResolve = false;

  constructor(name: string, frame: SandboxFrame) {
    this.name = name;
    this.#frame = frame;
    this.#broker = frame.broker;
    this.#calls = new InterpreterCalls(
      frame.broker,
      this.#life.signal,
      (message, transfer = []) => {
        frame.messages.postMessage(message, transfer);
      },
    );
    this.ended = new Promise((resolve) => {
      this.#tellEnd = resolve;
    });
    frame.messages.onmessage = ({ data }: MessageEvent<FromBroker>) => {
      this.#take(data);
    };
    frame.onGone(() => {
      this.#lose({ reason: 'crashed', detail: 'The sandbox is gone' });
    });
    // A sandbox whose process has died may say nothing at all.
    const ping = (): Promise<true> => this.#broker.ping();
    this.#stopPulse = watchPulse(ping, pulse, () => {
      this.#lose({ reason: 'crashed', detail: 'The sandbox does not respond' });
    });
  }

  get alive(): boolean {
    return !this.#going && this.#loss === null && this.#frame.isHere();
  }

  /** Starts Python: from a snapshot, or from its files where there is none. @throws {ToolError} */
  async start(
    signal: AbortSignal,
    assets: ToolWorkerAssets,
    snapshot: ArrayBuffer | null,
    limits: Limits,
    onStep: (step: string) => void,
  ): Promise<void> {
    this.#onStep = onStep;
    const start = { assets, snapshot, limits };
    const started = this.#broker.start(transfer(start, snapshot === null ? [] : [snapshot]));
    const deadline = snapshot === null ? limits.startMs : limits.restoreMs;
    await this.#reply<PythonFacts>(signal, started, deadline, 'Starting Python');
  }

  /** In place of a start: a snapshot, whose bytes this may hold until it is disposed of. @throws {ToolError} */
  makeSnapshot(signal: AbortSignal, assets: ToolWorkerAssets, limits: Limits): Promise<Blob> {
    const made = this.#broker.makeSnapshot(assets);
    return this.#reply<Blob>(signal, made, limits.startMs, 'Creating a snapshot of Python');
  }

  /** Puts wheels among Python's packages, before there is anything of a folder. @throws {ToolError} and is of no use any more */
  async install(signal: AbortSignal, wheels: readonly Wheel[], limits: Limits): Promise<void> {
    const asked = this.#broker.install(newId(), { wheels });
    await this.#reply<null>(signal, asked, limits.startMs, 'Installing packages');
  }

  /**
   * Finds out which wheels satisfy what files declare. From then on the interpreter is of no other use.
   * @param archive the resolver's modules
   * @throws {ToolError}
   */
  resolve(signal: AbortSignal, archive: Blob, request: ResolveRequest): Promise<ResolveAnswer> {
    const asked = this.#broker.resolve(newId(), this.#canResolve ? null : archive, request);
    this.#canResolve = true;
    return this.#reply<ResolveAnswer>(signal, asked, resolveMs, 'Resolving packages');
  }

  /** Hands over the files; from here on the interpreter belongs to this folder. @throws {ToolError} */
  async openFolder(
    signal: AbortSignal,
    { name, files, folders }: FolderSnapshot,
    limits: Limits,
  ): Promise<void> {
    const batches = [...inBatches(files)];
    for (const [index, batch] of batches.entries()) {
      const { copies, buffers } = copied(batch);
      const last = index === batches.length - 1;
      const made = last ? folders : [];
      const handed = transfer(copies, buffers);
      const put = this.#broker.putFiles(newId(), folderStep(name), handed, made, last);
      await this.#reply<null>(signal, put, limits.startMs, 'Copying files');
    }
  }

  /**
   * Changes files of the open folder, and drops the modules of what changed and of what imports it. While no call runs.
   * @returns the files whose modules are imported anew, as Python tells
   * @throws {ToolError}
   */
  async updateFiles(
    signal: AbortSignal,
    { name, folders }: FolderSnapshot,
    { written, removed, cameOrWent }: FolderChanges,
    limits: Limits,
  ): Promise<ReadonlySet<string>> {
    const dropped = new Set<string>();
    for (const [index, batch] of [...inBatches(written)].entries()) {
      const { copies, buffers } = copied(batch);
      const gone = index === 0 ? removed : [];
      const changes = { written: copies, removed: gone, folders, cameOrWent };
      const asked = this.#broker.updateFiles(newId(), folderStep(name), transfer(changes, buffers));
      const what = 'Copying changed files';
      const reply = await this.#reply<readonly string[]>(signal, asked, limits.startMs, what);
      for (const file of reply) dropped.add(file);
    }
    return dropped;
  }

  /** Gives its tools a copy of the workspace of their folder. */
  openWorkspace(find: FindWorkspace): void {
    this.workspace = new InterpreterWorkspace(this.#broker, this.#life.signal, find);
  }

  /**
   * Imports tool files, one after the other, and tells of each in order. The time limit is for each of them.
   * @throws {ToolError} where one did not answer
   */
  async inspect(
    signal: AbortSignal,
    files: readonly string[],
    limits: Limits,
    onReport: (inspection: Inspection) => void,
  ): Promise<void> {
    const asked = files.map((file): [string, Promise<OrLost<PackedInspection>>] => [
      file,
      this.#broker.inspect(newId(), file),
    ]);
    for (const [file, inspected] of asked) {
      const what = `The import of ${file}`;
      onReport(await unpack(await this.#reply(signal, inspected, limits.importMs, what)));
    }
  }

  /** What the tool's own callable says about overlapping with other calls; raising, or taking too long, means no. */
  mayOverlap(signal: AbortSignal, tool: RegisteredTool, args: JsonText): Promise<boolean> {
    return this.#decide(signal, tool, 'concurrency_safe', args, false);
  }

  /** What the tool's own callable says about asking the user first; raising, or taking too long, means yes. */
  needsApproval(signal: AbortSignal, tool: RegisteredTool, args: JsonText): Promise<boolean> {
    return this.#decide(signal, tool, 'requires_approval', args, true);
  }

  /** Starts a call, or checks its arguments alone: {@link InterpreterCalls.call}. */
  call(...call: Parameters<InterpreterCalls['call']>): ReturnType<InterpreterCalls['call']> {
    return this.#calls.call(...call);
  }

  /** Ends it at once, and all that waits for it. */
  dispose(): void {
    this.#lose({ reason: 'terminated', detail: 'The interpreter was stopped' });
  }

  #decide(
    signal: AbortSignal,
    { name, source }: RegisteredTool,
    key: DecisionKey,
    args: JsonText,
    careful: boolean,
  ): Promise<boolean> {
    const asked = this.#broker.decide(newId(), name, source.file, key, args);
    return this.#reply<boolean>(signal, asked, decisionMs, 'Asking').catch(() => careful);
  }

  async #reply<T>(
    signal: AbortSignal,
    asked: Promise<OrLost<T>>,
    deadlineMs: number,
    what: string,
  ): Promise<T> {
    return orThrow(await wait(signal, asked, { lost: this.#life.signal, deadlineMs, what }));
  }

  #take(message: FromBroker): void {
    switch (message.type) {
      case 'step':
        this.#onStep(message.step);
        return;
      case 'lost':
        this.#going = true;
        this.#loseSoon(message.loss, longAnswerMs);
        return;
      default:
        this.#calls.take(message);
    }
  }

  /** What waits for an answer ends with that answer, which is already on its way and says more. */
  #loseSoon(loss: Loss, patienceMs: number): void {
    setTimeout(() => {
      if (this.#calls.arriving && patienceMs > 0) this.#loseSoon(loss, patienceMs - answerMs);
      else this.#lose(loss);
    }, answerMs);
  }

  #lose(loss: Loss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.#stopPulse();
    this.#frame.remove();
    this.#calls.lose(loss);
    this.#life.abort(lossError(loss));
    this.#tellEnd(loss);
  }
}

/** What the pool needs of an interpreter that has the folder's files. */
export type FolderPython = Pick<
  Interpreter,
  | 'name'
  | 'workspace'
  | 'alive'
  | 'ended'
  | 'inspect'
  | 'updateFiles'
  | 'mayOverlap'
  | 'needsApproval'
  | 'call'
  | 'dispose'
>;

/** One that has seen no tool code. */
export type PristinePython = FolderPython & Pick<Interpreter, 'openFolder'>;

export async function unpack(packed: PackedInspection): Promise<Inspection> {
  const pacer = createPacer();
  const tools: Tool[] = [];
  for (const text of packed.tools) {
    if (pacer.mustRest()) await pacer.rest();
    // The broker has looked at it, and has written this text itself.
    tools.push(JSON.parse(text) as Tool);
  }
  return { ...packed, tools };
}
