/** The broker's side of the protocol (src/runtime/protocol/frame.ts) without a frame, a worker or Python: it runs fixtures. */

import type {
  Broker,
  CallRequest,
  ChangesForPython,
  InspectedFile,
  OrLost,
  PythonFacts,
  Streamed,
  ToBroker,
} from '../../../src/runtime/protocol/frame.ts';
import type { ResolveAnswer } from '../../../src/runtime/protocol/packages.ts';
import type { DecisionKey, FileForPython } from '../../../src/runtime/protocol/python.ts';
import { textFromPage } from '../../../src/runtime/protocol/long-texts.ts';
import type { WorkspaceReport, WorkspaceRequest } from '../../../src/runtime/protocol/workspace.ts';
import type { PackedInspection, SpecProposal } from '../../../src/runtime/spec/tool.ts';
import { FakeWorkspace } from './fake-workspace.ts';
import { untilLet } from './hold.ts';
import { RunningCall } from './running-call.ts';
import { program } from './program.ts';
import { proposal } from './proposal.ts';
import { inspectFile, toolOf } from './tool-files.ts';
import { PythonError } from './tool-file.ts';

/** Of the wire, what waits for its answer does so whether or not it is a promise. */
export class FakeBroker implements Broker {
  readonly #messages: MessagePort;
  readonly #files = new Map<string, Uint8Array>();
  readonly #memory = new Map<string, unknown>();
  readonly #calls = new Map<number, RunningCall>();
  readonly #workspace = new FakeWorkspace();

  constructor(messages: MessagePort) {
    this.#messages = messages;
    messages.onmessage = ({ data }: MessageEvent<ToBroker>) => {
      this.#take(data);
    };
  }

  compile(): void {
    // There is no Pyodide.
  }

  async start(): Promise<OrLost<PythonFacts>> {
    await untilLet();
    return done({ version: '3.14.0', stackSwitching: true });
  }

  addLibraries(): void {
    // There is no Python to which they could be added.
  }

  report(): void {
    // There is no tool worker.
  }

  addSources(): void {
    // There is no Python to which they could be added.
  }

  makeSnapshot(): Promise<OrLost<Blob>> {
    const loss = { reason: 'start', detail: 'The test page makes no snapshots' } as const;
    return Promise.resolve({ ok: false, loss });
  }

  compilePackages(): Promise<OrLost<Blob>> {
    return this.makeSnapshot();
  }

  install(): Promise<OrLost<null>> {
    return done(null);
  }

  /** Whatever is declared is not on this page, and the index may not be asked. */
  resolve(...[, , { sources }]: Parameters<Broker['resolve']>): Promise<OrLost<ResolveAnswer>> {
    const wanted = sources.flatMap(({ file, text }) =>
      Array.from(text.matchAll(/^# {3}"([^"]+)",$/gm), ([, requirement = '']) => ({
        file,
        requirement,
        name: /^[\w-]+/.exec(requirement)?.[0] ?? '',
      })),
    );
    return done({ wheels: [], problems: [], wanted });
  }

  putFiles(...[, , files]: Parameters<Broker['putFiles']>): Promise<OrLost<null>> {
    this.#put(files);
    return done(null);
  }

  updateFiles(
    _: number,
    __: string,
    { written, removed }: ChangesForPython,
  ): Promise<OrLost<readonly string[]>> {
    this.#put(written);
    for (const path of removed) this.#files.delete(path);
    this.#memory.clear();
    return done([...written.map(({ path }) => path), ...removed]);
  }

  workspace(_: number, request: WorkspaceRequest): Promise<OrLost<WorkspaceReport>> {
    return done(this.#workspace.exchange(request));
  }

  inspect(
    _: number,
    files: readonly InspectedFile[],
  ): Promise<OrLost<readonly PackedInspection[]>> {
    const reports = files.map(({ file }) => inspectFile(file, this.#text(file)));
    return done(
      reports.map((report) => ({
        ...report,
        tools: report.tools.map((tool) => JSON.stringify(tool)),
      })),
    );
  }

  /** All reports come with the first. */
  inspected(): Promise<OrLost<readonly PackedInspection[]>> {
    return done([]);
  }

  decide(
    _: number,
    name: string,
    file: string,
    key: DecisionKey,
    args: string,
  ): Promise<OrLost<boolean>> {
    const needs = toolOf(file, name)?.needsApproval;
    const asked = key === 'requires_approval' && needs !== undefined;
    return done(asked ? needs(JSON.parse(args) as never) : true);
  }

  propose(_: number, file: string, names: string): Promise<OrLost<SpecProposal>> {
    return done(proposal(file, this.#text(file), JSON.parse(names) as readonly string[] | null));
  }

  setSettings(): Promise<OrLost<readonly string[]>> {
    return done([]);
  }

  /** Only `equals` is compared. */
  judge(_: number, expect: string, outcome: string): Promise<OrLost<readonly string[]>> {
    const { equals } = JSON.parse(expect) as { equals?: unknown };
    const { content } = JSON.parse(outcome) as { content: readonly { text: string }[] };
    const wanted = JSON.stringify(equals ?? null);
    const got = JSON.stringify(JSON.parse(content[0]?.text ?? 'null'));
    const isMet = equals === undefined || wanted === got;
    return done(isMet ? [] : [`the result: expected ${wanted}, got ${got}`]);
  }

  streamed(id: number): Streamed | null {
    return this.#calls.get(id)?.streamed ?? null;
  }

  ping(): true {
    return true;
  }

  /** Nothing is heard of it any more. */
  end(): void {
    for (const call of this.#calls.values()) call.cancel();
    this.#messages.close();
  }

  #take(message: ToBroker): void {
    switch (message.type) {
      case 'call':
        void this.#call(message);
        return;
      case 'cancel':
        this.#calls.get(message.id)?.cancel();
        return;
      case 'answer':
        this.#calls.get(message.id)?.answer(message.n, message.answer);
        return;
      case 'credit':
      case 'taken':
    }
  }

  async #call({ id, tool, file, arguments: args, context }: CallRequest): Promise<void> {
    const found = tool === 'run_python' ? program : toolOf(file, tool);
    const { workspace_path: path } = JSON.parse(context) as { workspace_path?: string };
    const given = {
      source: this.#text(file),
      memory: this.#memory,
      files: path === undefined ? null : this.#workspace.files,
    };
    const call = new RunningCall(id, given, (message) => {
      this.#messages.postMessage(message);
    });
    this.#calls.set(id, call);
    const handled = Promise.resolve().then(() => {
      if (found === undefined) throw new PythonError('KeyError', `there is no fixture of ${tool}`);
      return found.handler(JSON.parse(textFromPage(args)) as never, call);
    });
    const value = await call.outcome(file, handled);
    this.#calls.delete(id);
    this.#messages.postMessage({ type: 'outcome', id, outcome: { ok: true, value } });
  }

  #put(files: readonly FileForPython[]): void {
    for (const { path, bytes } of files) this.#files.set(path, bytes);
  }

  #text(file: string): string {
    return new TextDecoder().decode(this.#files.get(file));
  }
}

function done<T>(value: T): Promise<OrLost<T>> {
  return Promise.resolve({ ok: true, value });
}
