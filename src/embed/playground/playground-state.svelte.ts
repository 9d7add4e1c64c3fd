/** The state of a playground with Python: its files, the chosen tool, its arguments and its run. */

import { newCall } from '../../runtime/spec/call.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import {
  embedLimits,
  type FromPlayground,
  type LabelName,
  type PlaygroundFile,
  type PlaygroundResult,
  type PlaygroundSetup,
} from '../../runtime/protocol/embed.ts';
import { coalesce } from '../../runtime/async/coalesce.ts';
import {
  ArgumentChecker,
  startArgumentWorker,
  type ArgumentChecking,
} from '../../runtime/sandbox/argument-checker.ts';
import { jsonFault } from '../../app/ui/json/json-fault.ts';
import { Announcer } from '../../app/ui/parts/announcer.svelte.ts';
import { Preferences } from '../../app/ui/shell/preferences.svelte.ts';
import type { ResultUi } from '../../app/ui/shell/result-ui.ts';
import { ArgumentForm } from '../../app/ui/tools/forms/argument-form.svelte.ts';
import { pathText } from '../../app/ui/tools/forms/argument-place.ts';
import { draftOf } from '../../app/ui/tools/forms/argument-template.ts';
import { Drafts, type Draft } from '../../app/ui/tools/forms/draft.svelte.ts';
import { findMissingValues } from '../../app/ui/tools/forms/group-entries.ts';
import { ShownPictures } from '../../app/ui/tools/pictures/shown-pictures.ts';
import { ReturnCheck } from '../../app/ui/tools/result/return-check.ts';
import { Run } from '../../app/ui/tools/runs/runs.svelte.ts';
import { filesOf, type PlaygroundTools } from './playground-runtime.svelte.ts';
import { findWrittenTools, type WrittenTool } from './written-tools.ts';

export interface PlaygroundStateDeps {
  readonly tools: PlaygroundTools;
  readonly setup: PlaygroundSetup;
  readonly send: (message: FromPlayground) => void;
  /** Address of the app. */
  readonly base: URL;
  readonly words: Record<LabelName, string>;
  /** Called when a call has ended. */
  readonly onCalled: () => void;
}

interface CalledTool {
  readonly run: Run;
  readonly result: ToolResult;
}

/** Milliseconds after the last key press until changed source is loaded. */
const reloadMs = 700;
/** Milliseconds between two reports of changes. */
const reportMs = 200;
/** Limit of tools that are named in place of one that does not exist. */
const maxNamed = 20;

export class PlaygroundState {
  readonly announcer = new Announcer();
  readonly preferences = new Preferences(null);
  readonly resultUi: ResultUi;
  readonly #deps: PlaygroundStateDeps;
  /** Texts of the files by path that are loaded next. */
  #source: Readonly<Record<string, string>>;
  files: readonly PlaygroundFile[] = $state.raw([]);
  words: Record<LabelName, string> = $state.raw({} as Record<LabelName, string>);
  /** Name that was chosen; empty for that of the setup. */
  #chosen: string = $state('');
  /** Whether the editor takes the focus when it has loaded. */
  wantsFocus = false;
  /** Whether a run waits for Python, or is running. */
  isBusy: boolean = $state(false);
  /** Whether the user or the page has asked for Python. */
  isWanted: boolean = $state(false);
  /** The tools that the source shows, until Python has found its tools. */
  readonly #written = $derived(findWrittenTools(this.files));
  /** Changes when the files are replaced from outside the editor. */
  version: number = $state(0);
  latest: Run | null = $state.raw(null);
  /** Whether to scroll to the result of the latest run. */
  follows: boolean = $state(false);
  /** Why the last run did not begin; empty if it began. */
  failure: string = $state('');
  /** Arguments from the page until Python has loaded, since only then is it certain which tool they are for; else empty. */
  #pageArguments: string;
  /** Name of the tool that already has these arguments; empty if none has. */
  #argumentsTool = '';
  #stop = new AbortController();
  /** Number of times that the user or the page has cancelled, which also ends runs that wait for Python. */
  #cancels = 0;
  /** A playground has no log, so there are no arguments of earlier calls. */
  readonly #drafts = new Drafts(() => []);
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #reportSoon = coalesce(() => this.#report(), reportMs);

  constructor(deps: PlaygroundStateDeps) {
    this.#deps = deps;
    this.resultUi = resultUiOf(this);
    this.files = deps.setup.files;
    this.words = deps.words;
    this.#pageArguments = deps.setup.arguments;
    this.#source = filesOf(this.files, deps.setup.packages);
    this.preferences.argumentView = deps.setup.view === 'json' ? 'json' : 'form';
    this.#usePageArguments();
  }

  get setup(): PlaygroundSetup {
    return this.#deps.setup;
  }

  get base(): URL {
    return this.#deps.base;
  }

  get tools(): PlaygroundTools {
    return this.#deps.tools;
  }

  get tool(): RegisteredTool | undefined {
    return this.#chosenOf(this.tools.all);
  }

  /** The tool whose arguments are shown: before Python has loaded, as the source shows it. */
  get shownTool(): WrittenTool | undefined {
    return this.tool ?? (this.tools.wasLoaded ? undefined : this.#chosenOf(this.#written));
  }

  /** Names of the tools to choose from. */
  get names(): readonly string[] {
    return (this.tools.wasLoaded ? this.tools.all : this.#written).map(({ name }) => name);
  }

  #chosenOf<T extends WrittenTool>(tools: readonly T[]): T | undefined {
    const wanted = this.#chosen === '' ? this.setup.tool : this.#chosen;
    return (
      tools.find(({ name }) => name === wanted) ??
      tools.find(({ name }) => name.endsWith(`:${wanted}`)) ??
      (wanted === '' || this.#chosen !== '' ? tools[0] : undefined)
    );
  }

  /** Says that no tool has the name that the page gave, and lists the names of the tools; empty otherwise. */
  get unknownTool(): string {
    const { tool } = this.setup;
    const isUnknown = tool !== '' && this.shownTool === undefined && this.names.length > 0;
    return isUnknown ? this.#whyNoTool(tool) : '';
  }

  /** Name of the tool, or the name that the page gave if no such tool is loaded. */
  get toolName(): string {
    return this.shownTool?.name ?? this.setup.tool;
  }

  get draft(): Draft | undefined {
    const { shownTool } = this;
    return shownTool && this.draftOf(shownTool);
  }

  draftOf(tool: WrittenTool): Draft {
    return draftOf(this.#drafts, tool);
  }

  readonly checkArguments = (): Promise<ArgumentChecking> =>
    Promise.resolve(new ArgumentChecker(() => startArgumentWorker()));

  get isRunning(): boolean {
    return this.latest !== null && this.latest.phase !== 'ended';
  }

  choose(name: string): void {
    this.#chosen = name;
    this.#reportSoon();
  }

  /** Loads the files. Never rejects: the playground shows a failure. */
  open(): void {
    this.isWanted = true;
    this.#load().catch(() => undefined);
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
    if (this.isWanted) this.#reloadSoon();
    else this.#usePageArguments();
  }

  setArguments(args: string): void {
    this.#pageArguments = args;
    this.#argumentsTool = '';
    this.#usePageArguments();
  }

  setWords(words: Record<LabelName, string>): void {
    this.words = words;
  }

  edit(): void {
    this.wantsFocus = true;
    this.open();
  }

  async run(by: 'reader' | 'page' = 'page'): Promise<PlaygroundResult> {
    const byReader = by === 'reader';
    this.failure = '';
    this.follows = byReader;
    this.isBusy = true;
    try {
      // Missing arguments are known before Python starts.
      if (byReader && !this.isWanted && this.shownTool !== undefined)
        this.#requireArguments(this.shownTool);
      const { run, result } = await this.call();
      return resultOf(run, result);
    } catch (thrown) {
      this.failure = errorText(thrown);
      const message = this.failure.slice(0, 2_000);
      this.#deps.send({ type: 'error', code: 'not-run', message, hint: '' });
      throw thrown;
    } finally {
      this.isBusy = false;
    }
  }

  cancel(): void {
    this.#cancels += 1;
    const run = this.latest;
    if (run === null || run.phase === 'ended') return;
    run.markStopping();
    this.#stop.abort();
  }

  /**
   * Runs a tool to its end, with the latest files, including those that arrive while others are loaded.
   * @param name the shown tool, if it is left out @throws {Error} if it cannot begin
   */
  call(name?: string, args?: string): Promise<CalledTool> {
    return this.tools.use(() => this.#call(name, args));
  }

  async #call(name?: string, args?: string): Promise<CalledTool> {
    const cancels = this.#cancels;
    const shown = this.shownTool?.name ?? '';
    this.isWanted = true;
    await this.#loadLatest();
    if (cancels !== this.#cancels) throw new Error('The run was cancelled.');
    const tool = name === undefined ? (this.tools.tool(shown) ?? this.tool) : this.tools.tool(name);
    if (tool === undefined) throw new Error(this.#whyNoTool(name ?? this.setup.tool));
    if (tool.state === 'last-good')
      throw new Error('The source has an error. Correct it to run the tool.');
    const argumentsText = args ?? this.#requireArguments(tool);
    const fault = jsonFault(argumentsText);
    if (fault !== null) throw new Error(`The arguments are not valid JSON: ${fault.message}`);
    // One call at a time: the next one waits for the user.
    if (this.isRunning) throw new Error('A call is running. Stop it first.');
    const run = new Run(newCall('page', tool.name, argumentsText), Date.now());
    this.latest = run;
    this.#stop = new AbortController();
    this.announcer.say(`Running ${tool.name}`);
    const { send, onCalled } = this.#deps;
    send({ type: 'call', callId: run.call.id, tool: tool.name, arguments: argumentsText });
    let result: ToolResult;
    try {
      result = await this.tools.run(this.#stop.signal, run);
    } catch (thrown) {
      // A run that never ends would block all later runs.
      this.latest = null;
      throw thrown;
    }
    this.announcer.sayEnd(tool.name, result);
    send({ type: 'result', ...resultOf(run, result) });
    onCalled();
    return { run, result };
  }

  /** The arguments of the form. @throws {Error} if required values are missing, which the form then marks */
  #requireArguments(tool: WrittenTool): string {
    const draft = this.draftOf(tool);
    if (this.setup.view === 'result' || this.preferences.argumentView !== 'form') return draft.text;
    const missing = findMissingValues(new ArgumentForm(draft, tool)).map(pathText);
    if (missing.length === 0) return draft.text;
    // The form marks the missing values.
    draft.asked = true;
    draft.checkComplete();
    throw new Error(`Enter the required values first: ${missing.slice(0, 10).join(', ')}`);
  }

  #whyNoTool(wanted: string): string {
    const { names } = this;
    if (names.length === 0) return 'The source has no tool that can run. Fix its problems first.';
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
    const listed = `${names.slice(0, maxNamed).join(', ')}${more}`;
    return this.tools.wasLoaded
      ? `There is no tool “${wanted}”. The source has: ${listed}`
      : `The source shows no tool “${wanted}” before it runs. It shows: ${listed}`;
  }

  #replace(files: readonly PlaygroundFile[]): void {
    this.files = files;
    this.#source = filesOf(files, this.setup.packages);
  }

  #reloadSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), reloadMs);
  }

  async #load(): Promise<void> {
    clearTimeout(this.#timer);
    await this.tools.load(this.#source);
    this.#usePageArguments();
  }

  /** Loads the files, and repeats this if they were replaced meanwhile. @throws {ToolError} */
  async #loadLatest(): Promise<void> {
    for (;;) {
      const source = this.#source;
      try {
        await this.#load();
      } catch (thrown) {
        if (source === this.#source) throw thrown;
      }
      if (source === this.#source) return;
    }
  }

  /** Writes arguments from the page to the shown tool. If Python finds no such tool, another one gets them. */
  #usePageArguments(): void {
    const { draft, shownTool } = this;
    const { wasLoaded } = this.tools;
    if (this.#pageArguments === '' || draft === undefined || shownTool === undefined) return;
    if (wasLoaded && this.tools.files !== this.#source) return;
    if (!this.names.includes(this.#argumentsTool)) {
      draft.write(this.#pageArguments);
      this.#argumentsTool = shownTool.name;
    }
    if (wasLoaded) this.#pageArguments = '';
  }

  #report(): void {
    const isShown = this.#pageArguments === '' || this.#argumentsTool === this.shownTool?.name;
    const args = isShown ? (this.draft?.text ?? '') : this.#pageArguments;
    if (args.length > embedLimits.argumentsChars) return;
    this.#deps.send({ type: 'change', files: this.files, tool: this.toolName, arguments: args });
  }
}

function resultOf(
  { call: { id: callId, tool } }: Pick<Run, 'call'>,
  { resultType, textResultForLlm, error = '', durationMs }: ToolResult,
): PlaygroundResult {
  const shorten = (text: string): string => text.slice(0, embedLimits.resultChars);
  return {
    callId,
    tool,
    resultType,
    text: shorten(textResultForLlm),
    error: shorten(error),
    durationMs,
  };
}

/** Links lead to Cloche’s own window, whatever their address. */
const route = { to: () => '#', toFile: () => '#' };

function resultUiOf({ preferences, tools, checkArguments }: PlaygroundState): ResultUi {
  return {
    preferences,
    route,
    tools,
    late: { pictures: new ShownPictures(), returnCheck: new ReturnCheck(checkArguments) },
    get isPythonReady() {
      return tools.status.python === '';
    },
    get isLoadingTools() {
      return tools.isLoading;
    },
    hasFile: (path) => tools.files[path] !== undefined,
  };
}
