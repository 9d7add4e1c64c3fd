/** The state of a playground with Python: its files, the chosen tool, its arguments and its run. */

import type { CallEvent } from '../../runtime/spec/call.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import type { FolderFile } from '../../runtime/spec/folder.ts';
import {
  embedLimits,
  type FromPlayground,
  type LabelName,
  type PlaygroundFile,
  type PlaygroundResult,
  type PlaygroundSetup,
} from '../../runtime/protocol/embed.ts';
import { memorySource } from '../../runtime/folder/memory-source.ts';
import { coalesced } from '../../runtime/async/coalesce.ts';
import { jsonFault } from '../../app/ui/json/json-fault.ts';
import type { Ui } from '../../app/ui/shell/ui.svelte.ts';
import { ArgumentForm } from '../../app/ui/tools/forms/argument-form.svelte.ts';
import { pathText } from '../../app/ui/tools/forms/argument-place.ts';
import { draftOf } from '../../app/ui/tools/forms/draft-of.ts';
import type { Draft } from '../../app/ui/tools/forms/draft.svelte.ts';
import { missingValues } from '../../app/ui/tools/forms/missing-values.ts';
import type { Run } from '../../app/ui/tools/runs/runs.svelte.ts';
import { filesOf } from './playground-files.ts';
import type { WholePlayground } from './playground-deps.ts';

export interface PlaygroundStateDeps {
  readonly ui: Ui;
  readonly setup: PlaygroundSetup;
  readonly send: (message: FromPlayground) => void;
  /** Address of the app. */
  readonly base: URL;
  readonly words: Record<LabelName, string>;
}

/** Milliseconds after the last key press until changed source is loaded. */
const reloadMs = 700;
/** Milliseconds between two reports of changes. */
const reportMs = 200;

export class PlaygroundState implements WholePlayground {
  readonly #deps: PlaygroundStateDeps;
  files: readonly PlaygroundFile[] = $state.raw([]);
  words: Record<LabelName, string> = $state.raw({} as Record<LabelName, string>);
  /** Name that was chosen; empty for that of the setup. */
  #chosen: string = $state('');
  /** Changes when the files are replaced from outside the editor. */
  version: number = $state(0);
  latest: Run | null = $state.raw(null);
  /** Why the last run did not begin; empty if it did. */
  failure: string = $state('');
  /** Whether the files have been loaded once. */
  isOpened: boolean = $state(false);
  /** Arguments that wait for their tool. */
  #given: string;
  #opened: Promise<void> = Promise.resolve();
  #loaded: readonly FolderFile[] = [];
  #isChanged = false;
  readonly #ends = new Map<string, (result: ToolResult) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #reportSoon = coalesced(() => this.#report(), reportMs);

  constructor(deps: PlaygroundStateDeps) {
    this.#deps = deps;
    this.files = deps.setup.files;
    this.words = deps.words;
    this.#given = deps.setup.arguments;
    this.#loaded = filesOf(this.files, deps.setup.packages);
    deps.ui.app.calls.observe((event) => this.#take(event));
    deps.ui.app.registry.observe(() => this.#useGiven());
  }

  get setup(): PlaygroundSetup {
    return this.#deps.setup;
  }

  get base(): URL {
    return this.#deps.base;
  }

  get tools(): readonly RegisteredTool[] {
    return this.#deps.ui.tools.all;
  }

  get tool(): RegisteredTool | undefined {
    return this.#toolIn(this.tools);
  }

  /** Name of the tool, also where the list of tools is not drawn yet. As the page has given it if it is not known. */
  get toolName(): string {
    return this.#toolIn(this.#deps.ui.app.registry.list())?.name ?? this.setup.tool;
  }

  #toolIn(tools: readonly RegisteredTool[]): RegisteredTool | undefined {
    const wanted = this.#chosen === '' ? this.setup.tool : this.#chosen;
    return (
      tools.find(({ name }) => name === wanted) ??
      tools.find(({ name }) => name.endsWith(`:${wanted}`)) ??
      (wanted === '' || this.#chosen !== '' ? tools[0] : undefined)
    );
  }

  get draft(): Draft | undefined {
    const { tool } = this;
    return tool && draftOf(this.#deps.ui.late.drafts, tool);
  }

  get isRunning(): boolean {
    return this.latest !== null && this.latest.phase !== 'ended';
  }

  choose(name: string): void {
    this.#chosen = name;
    this.#reportSoon();
  }

  /** Loads the files. Failures are in the status. */
  open(): void {
    const { folder } = this.#deps.ui.app;
    this.#opened = folder.open(memorySource('playground', () => this.#loaded, true)).then(() => {
      this.isOpened = true;
    });
  }

  /** Replaces the text of a file as the user edits it. */
  change(path: string, text: string): void {
    this.#replace(this.files.map((file) => (file.path === path ? { path, text } : file)));
    this.#reloadSoon();
    this.#reportSoon();
  }

  argumentsChanged(): void {
    this.#reportSoon();
  }

  setFiles(files: readonly PlaygroundFile[]): void {
    this.#replace(files);
    this.version += 1;
    this.#reloadSoon();
  }

  setArguments(args: string): void {
    this.#given = args;
    this.#useGiven();
  }

  setWords(words: Record<LabelName, string>): void {
    this.words = words;
  }

  edit(): void {
    // The editor takes the focus when it has loaded.
    this.wantsFocus = true;
  }

  /** Whether the editor takes the focus. */
  wantsFocus = false;

  async run(): Promise<PlaygroundResult> {
    this.failure = '';
    try {
      return resultOf(...(await this.call()));
    } catch (thrown) {
      this.failure = errorText(thrown);
      const message = this.failure.slice(0, 2_000);
      this.#deps.send({ type: 'error', code: 'not-run', message, hint: '' });
      throw thrown;
    }
  }

  cancel(): void {
    const run = this.latest;
    if (run?.phase === 'queued' || run?.phase === 'running') this.#deps.ui.runs.stop(run);
  }

  /**
   * Runs a tool to its end, with the files as they are now.
   * @param name the shown tool, if it is left out @throws {Error} if it cannot begin
   */
  async call(name?: string, args?: string): Promise<[Run, ToolResult]> {
    const { ui } = this.#deps;
    await this.#opened;
    if (ui.app.status.get().phase === 'failed') this.open();
    await this.#reload();
    // The registry is read, since the shown tools follow a moment later.
    const { registry } = ui.app;
    const tool = name === undefined ? this.#toolIn(registry.list()) : registry.get(name);
    if (tool === undefined) throw new Error(this.#whyNoTool(name));
    if (tool.state === 'last-good')
      throw new Error('The source has an error. Correct it to run the tool.');
    const given = args ?? this.#entered(tool);
    const fault = jsonFault(given);
    if (fault !== null) throw new Error(`The arguments are not valid JSON: ${fault.message}`);
    // One call at a time: the next one waits for the user.
    if (this.isRunning) throw new Error('A call is running. Stop it first.');
    const run = ui.runs.start(tool.name, given);
    this.latest = run;
    const result = await new Promise<ToolResult>((resolve) => this.#ends.set(run.call.id, resolve));
    return [run, result];
  }

  /** The arguments of the form. @throws {Error} if required values are missing, which the form then marks */
  #entered(tool: RegisteredTool): string {
    const { late, preferences } = this.#deps.ui;
    const draft = draftOf(late.drafts, tool);
    if (this.setup.view === 'result' || preferences.argumentView !== 'form') return draft.text;
    const missing = missingValues(new ArgumentForm(draft, tool.parameters)).map(pathText);
    if (missing.length === 0) return draft.text;
    draft.asked = true;
    draft.isComplete();
    throw new Error(`Enter the required values first: ${missing.slice(0, 10).join(', ')}`);
  }

  #whyNoTool(name: string | undefined): string {
    const { status } = this.#deps.ui.opener;
    const wanted = name ?? this.setup.tool;
    if (status.phase === 'failed') return status.message;
    if (this.#deps.ui.app.registry.list().length > 0) return `There is no tool “${wanted}”.`;
    return 'The source has no tool that can run. Fix its problems first.';
  }

  #replace(files: readonly PlaygroundFile[]): void {
    this.files = files;
    this.#loaded = filesOf(files, this.setup.packages);
    this.#isChanged = true;
  }

  #reloadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#reload(), reloadMs);
  }

  async #reload(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#opened;
    if (!this.#isChanged) return;
    this.#isChanged = false;
    await this.#deps.ui.app.folder.refresh();
  }

  /** Writes arguments from the page once their tool is known. */
  #useGiven(): void {
    const tool = this.#toolIn(this.#deps.ui.app.registry.list());
    if (this.#given === '' || tool === undefined) return;
    draftOf(this.#deps.ui.late.drafts, tool).write(this.#given);
    this.#given = '';
  }

  #report(): void {
    const args = this.draft?.text ?? this.#given;
    if (args.length > embedLimits.argumentsChars) return;
    this.#deps.send({ type: 'change', files: this.files, tool: this.toolName, arguments: args });
  }

  #take(event: CallEvent): void {
    const { send } = this.#deps;
    if (event.type === 'call-queued') {
      const { id: callId, tool, arguments: args } = event.call;
      send({ type: 'call', callId, tool, arguments: args });
    } else if (event.type === 'call-ended') {
      const end = this.#ends.get(event.call.id);
      this.#ends.delete(event.call.id);
      end?.(event.result);
      send({ type: 'result', ...resultOf(event, event.result) });
    }
  }
}

function resultOf(
  { call: { id: callId, tool } }: { readonly call: { readonly id: string; readonly tool: string } },
  { resultType, textResultForLlm, error = '', durationMs }: ToolResult,
): PlaygroundResult {
  const cut = (text: string): string => text.slice(0, embedLimits.resultChars);
  return { callId, tool, resultType, text: cut(textResultForLlm), error: cut(error), durationMs };
}
