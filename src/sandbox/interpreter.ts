/** One Python interpreter, alone in a sealed frame: started, asked, and ended when anything is in doubt. */

import { transfer, type Remote } from 'comlink';
import type { Broker, FromBroker, Loss, OrLost, PythonFacts, ToBroker } from '../protocol/frame.ts';
import type { DecisionKey, ToolWorkerAssets } from '../protocol/python.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { Inspection, PackedInspection } from '../spec/inspection.ts';
import type { JsonText } from '../spec/json.ts';
import type { Limits } from '../spec/limits.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { copied, folderStep, inBatches } from './file-batches.ts';
import type { SandboxFrame } from './frame.ts';
import { pulse, watchPulse } from './heartbeat.ts';
import type { InterpreterWorkspace } from './interpreter-workspace.ts';
import { lossError, orThrow } from './loss-error.ts';
import { newId } from './new-id.ts';
import { wait } from '../async/wait.ts';
import { unpack } from './unpack.ts';

/** How long a spec's own callable may take, the way to it and back included; milliseconds. */
const decisionMs = 1_200;
/** How much earlier than a loss itself the answers that it gives rise to are expected, long ones at most; milliseconds. */
const [answerMs, longAnswerMs] = [50, 5_000];

type Say = (message: ToBroker, transfer?: Transferable[]) => void;

/** Who makes calls in it. */
interface Caller {
  /** The outcome of a call is on its way. */
  readonly arriving: boolean;
  take(message: Extract<FromBroker, { readonly id: number }>): void;
  lose(loss: Loss): void;
}

export class Interpreter {
  readonly name: string;
  /** Resolves when the interpreter is no more; never rejects. */
  readonly ended: Promise<Loss>;
  /** Its way to make calls; null where nobody has given it one. */
  caller: Caller | null = null;
  /** Its way to the workspace of its tools folder; null where nobody has given it one. */
  workspace: InterpreterWorkspace | null = null;
  readonly #frame: SandboxFrame;
  readonly #broker: Remote<Broker>;
  /** Aborts with the reason when the interpreter is no more. */
  readonly #life = new AbortController();
  readonly #stopPulse: () => void;
  #onStep: (step: string) => void = () => undefined;
  #tellEnd: (loss: Loss) => void = () => undefined;
  #loss: Loss | null = null;
  /** It is lost, though those who wait may not have been told. */
  #going = false;

  constructor(name: string, frame: SandboxFrame) {
    this.name = name;
    this.#frame = frame;
    this.#broker = frame.broker;
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
      this.#lose({ reason: 'crashed', detail: 'The sandbox gives no sign of life' });
    });
  }

  /** Lets others ask its broker for what is theirs to ask for. */
  reach<T>(way: (broker: Remote<Broker>, life: AbortSignal, say: Say) => T): T {
    return way(this.#broker, this.#life.signal, (message, transfer = []) => {
      this.#frame.messages.postMessage(message, transfer);
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
    const life = this.#life.signal;
    orThrow(
      await wait<OrLost<PythonFacts>>(signal, started, {
        lost: life,
        deadlineMs: deadline,
        what: 'Starting Python',
      }),
    );
  }

  /** In place of a start: a snapshot, whose bytes this may hold until it is disposed of. @throws {ToolError} */
  async makeSnapshot(signal: AbortSignal, assets: ToolWorkerAssets, limits: Limits): Promise<Blob> {
    const made = this.#broker.makeSnapshot(assets);
    const what = 'Making a snapshot of Python';
    return orThrow(
      await wait<OrLost<Blob>>(signal, made, {
        lost: this.#life.signal,
        deadlineMs: limits.startMs,
        what,
      }),
    );
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
      const what = 'Handing over the files';
      orThrow(
        await wait<OrLost<null>>(signal, put, {
          lost: this.#life.signal,
          deadlineMs: limits.startMs,
          what,
        }),
      );
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
      const what = 'Handing over changed files';
      const life = this.#life.signal;
      const reply = wait<OrLost<readonly string[]>>(signal, asked, {
        lost: life,
        deadlineMs: limits.startMs,
        what,
      });
      for (const file of orThrow(await reply)) dropped.add(file);
    }
    return dropped;
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
      const reply = wait(signal, inspected, {
        lost: this.#life.signal,
        deadlineMs: limits.importMs,
        what,
      });
      onReport(await unpack(orThrow(await reply)));
    }
  }

  /** What the tool's own callable says about overlapping with other calls; raising, or taking too long, means no. */
  mayOverlap(signal: AbortSignal, tool: RegisteredTool, args: JsonText): Promise<boolean> {
    return this.#decide(signal, tool, 'concurrency_safe', args, false);
  }

  /** What the tool's own callable says about asking the person first; raising, or taking too long, means yes. */
  needsApproval(signal: AbortSignal, tool: RegisteredTool, args: JsonText): Promise<boolean> {
    return this.#decide(signal, tool, 'requires_approval', args, true);
  }

  #decide(
    signal: AbortSignal,
    { name, source }: RegisteredTool,
    key: DecisionKey,
    args: JsonText,
    careful: boolean,
  ): Promise<boolean> {
    const asked = this.#broker.decide(newId(), name, source.file, key, args);
    const life = this.#life.signal;
    return wait<OrLost<boolean>>(signal, asked, {
      lost: life,
      deadlineMs: decisionMs,
      what: 'Asking',
    }).then(
      (answer) => (answer.ok ? answer.value : careful),
      () => careful,
    );
  }

  /** Ends it at once; whoever waits is told. */
  dispose(): void {
    this.#lose({ reason: 'terminated', detail: 'The interpreter was ended' });
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
        this.caller?.take(message);
    }
  }

  /** Whoever waits for an answer is told by that answer, which is already on its way and says more. */
  #loseSoon(loss: Loss, patienceMs: number): void {
    setTimeout(() => {
      if (this.caller?.arriving === true && patienceMs > 0)
        this.#loseSoon(loss, patienceMs - answerMs);
      else this.#lose(loss);
    }, answerMs);
  }

  #lose(loss: Loss): void {
    if (this.#loss) return;
    this.#loss = loss;
    this.#stopPulse();
    this.#frame.remove();
    this.caller?.lose(loss);
    this.#life.abort(lossError(loss));
    this.#tellEnd(loss);
  }
}
