/**
 * The tools of a playground: loads its files into a runtime, and runs calls. An idle playground stops Python once
 * enough others of its page have used theirs, so that a page with many playgrounds does not need memory for all of them.
 */

import type { Runtime, RuntimeFiles, RuntimeStatus } from '../../runtime/runtime-types.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Problem } from '../../runtime/spec/folder.ts';
import type { Stream, ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import type { Run } from '../../app/ui/tools/runs/runs.svelte.ts';
import { requirementsFile } from '../../runtime/packages/declared.ts';
import type { PlaygroundFile } from '../../runtime/protocol/embed.ts';

type Texts = Readonly<Record<string, string>>;

/** The tools and problems, with the files in which they were found. */
interface Scanned {
  readonly tools: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
  readonly files: Texts;
}

const unscanned: Scanned = { tools: [], problems: [], files: {} };
const nothing = { updates: [], dropped: 0, out: '', err: '', log: [] } satisfies Stream;

export class PlaygroundTools {
  readonly #base: URL;
  readonly #turns: PageTurns;
  #files: Texts = {};
  #runtime: Runtime | null = null;
  /** Settles when the latest load ends. Loads run one after the other. */
  #loading: Promise<unknown> = Promise.resolve();
  #scanned: Scanned = $state.raw(unscanned);
  status: RuntimeStatus = $state.raw({ phase: 'none', done: 0, total: 0, python: '' });
  /** Why loading failed; null while loading and after success. */
  failure: ToolError | null = $state.raw(null);

  /** @param base address of the app */
  constructor(base: URL, turns: PageTurns) {
    this.#base = base;
    this.#turns = turns;
    turns.onEnd(() => {
      this.#runtime?.dispose();
      this.#runtime = null;
    });
  }

  get all(): readonly RegisteredTool[] {
    return this.#scanned.tools;
  }

  /** Whether Python has loaded the source at least once. */
  get wasLoaded(): boolean {
    return this.#scanned !== unscanned;
  }

  get problems(): readonly Problem[] {
    return this.#scanned.problems;
  }

  /** Texts of the files in which the tools and problems were found. */
  get files(): Texts {
    return this.#scanned.files;
  }

  get isLoading(): boolean {
    return !['none', 'ready', 'failed'].includes(this.status.phase);
  }

  tool(name: string): RegisteredTool | undefined {
    return this.all.find((tool) => tool.name === name);
  }

  /** Loads the files, and resolves when their tools are known. @throws {ToolError} */
  load(files: Texts): Promise<void> {
    this.#files = files;
    const loaded = this.#loading.then(async () => {
      if (this.#runtime === null || this.#scanned.files !== this.#files)
        await this.#turns.use(() => this.#load());
    });
    this.#loading = loaded.catch(() => undefined);
    return loaded;
  }

  async #load(): Promise<void> {
    const files = this.#files;
    this.failure = null;
    try {
      if (this.#runtime === null) this.#runtime = await this.#open(files);
      else await this.#runtime.update(files);
      const { tools, problems } = this.#runtime;
      this.#scanned = { tools, problems, files };
    } catch (thrown) {
      this.failure = forReader(thrown);
      throw this.failure;
    }
  }

  async #open(files: RuntimeFiles): Promise<Runtime> {
    const { createRuntime } = await import('../../runtime/create-runtime.ts');
    return createRuntime({
      folder: files,
      functionsAreTools: true,
      assetsUrl: this.#base,
      onStatus: (status) => {
        this.status = status;
      },
    });
  }

  /** Runs work that loads files and runs calls: Python is not stopped for other playgrounds until the work settles. */
  use<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.use(work);
  }

  /** Runs a tool of the loaded files to its end, and shows it in `run`. @throws {ToolError} if there is no such tool */
  async run(signal: AbortSignal, run: Run): Promise<ToolResult> {
    const { call } = run;
    let updates = 0;
    const showStream = (stream: Stream): void =>
      run.take({ type: 'call-stream', callId: call.id, stream });
    if (this.#runtime === null) throw new ToolError('no-folder', 'The source has not been loaded');
    const result = await this.#runtime.call(signal, call.tool, call.arguments, {
      onStart: () => run.take({ type: 'call-started', callId: call.id, at: Date.now() }),
      onUpdate: (update) => {
        // Updates are numbered, so a gap tells how many were dropped.
        showStream({ ...nothing, updates: [update], dropped: update.n - updates });
        updates = update.n + 1;
      },
      onOutput: (output) => showStream({ ...nothing, ...output }),
    });
    run.take({ type: 'call-ended', call, result, at: Date.now() });
    return result;
  }
}

/** Returns the texts of a playground's files by path, with the packages as requirements.txt unless there is one. */
export function filesOf(
  files: readonly PlaygroundFile[],
  packages: readonly string[],
): Readonly<Record<string, string>> {
  const declared = packages.length === 0 ? {} : { [requirementsFile]: `${packages.join('\n')}\n` };
  return { ...declared, ...Object.fromEntries(files.map(({ path, text }) => [path, text])) };
}

/** Number of other playgrounds that use Python before an idle one stops its own. */
export const maxOthers = 2;

/** Tracks which playgrounds of a page have used Python last. */
export class PageTurns {
  readonly #channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;
  readonly #id = crypto.randomUUID();
  readonly #others = new Set<string>();
  #running = 0;
  #isUsed = false;
  #end: () => void = () => undefined;

  /** @param channel reaches the other playgrounds of the page, and only frames of this app */
  constructor(channel: Pick<BroadcastChannel, 'postMessage' | 'onmessage'>) {
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') this.#others.add(data);
      this.#settle();
    };
  }

  /** @param end stops idle Python, which starts again on its next use */
  onEnd(end: () => void): void {
    this.#end = end;
  }

  /** Runs work that uses Python, and keeps Python until the work settles. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    this.#others.clear();
    this.#channel.postMessage(this.#id);
    this.#isUsed = true;
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#settle();
    }
  }

  #settle(): void {
    if (!this.#isUsed || this.#running > 0 || this.#others.size < maxOthers) return;
    this.#isUsed = false;
    this.#end();
  }
}

/** Replaces hints of the runtime, which address the author of a page, by hints for its reader. */
function forReader(thrown: unknown): ToolError {
  if (!(thrown instanceof ToolError))
    return new ToolError('bad-input', `The source could not be loaded: ${String(thrown)}`);
  if (thrown.code !== 'not-found') return thrown;
  return new ToolError(thrown.code, thrown.message, 'Check your connection, and try again.');
}
