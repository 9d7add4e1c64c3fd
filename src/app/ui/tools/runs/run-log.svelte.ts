/** The call log for the drawer: newest first, searchable, paged. */

import { exportCalls, searchCalls } from '../../../../runtime/call/log-search.ts';
import { coalesce } from '../../../../runtime/async/coalesce.ts';
import type { CallLog } from '../../../../runtime/call/call-log.ts';
import type { Caller, LoggedCall } from '../../../../runtime/spec/call.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import { Observed } from '../../parts/observed.ts';

type Log = Pick<
  CallLog,
  'recent' | 'get' | 'count' | 'bytes' | 'clear' | 'observe' | 'mark' | 'pinned'
>;

/** Number of entries shown at first, and added with each "Show more". */
const pageEntries = 100;
/** Number of calls from which arguments are recalled. */
const recalledCalls = 2_000;
const recalledArguments = 30;
/** Runs that can be compared side by side. */
const maxCompared = 4;

export class RunLog {
  readonly #log: Observed<Log>;
  readonly #folder: () => string | null;
  /** Number of changes that were shown. */
  #version = 0;
  query: string = $state('');
  /** Results of the latest search; null if there is none. */
  #matches: readonly LoggedCall[] | null = $state.raw(null);
  #searching: AbortController | null = null;
  #shown: number = $state(pageEntries);
  /** Ids of the runs to compare, in the order in which they were chosen. */
  #chosen: readonly string[] = $state.raw([]);
  readonly #found: readonly LoggedCall[] = $derived(
    pinnedFirst(this.#matches ?? this.#latest(this.#shown + 1)),
  );
  /** Searches are not run at each key press, since the log may have megabytes. */
  readonly #search = coalesce(() => {
    this.#searching?.abort();
    void this.#find();
  }, 200);
  readonly #follow = coalesce(() => {
    this.#version += 1;
    this.#log.refresh();
    // A running search is not restarted: calls that end all the time would otherwise keep it from
    // ending.
    if (this.#searching === null && this.#matches !== null) void this.#find();
  }, 250);

  /** @param folder id of the open folder, since arguments are not recalled for another one */
  constructor(log: Log, folder: () => string | null) {
    this.#log = new Observed(() => log);
    this.#folder = folder;
    log.observe(() => this.#follow());
  }

  /** Found entries, one page or more. */
  get entries(): readonly LoggedCall[] {
    return this.#found.slice(0, this.#shown);
  }

  /** The same entries, with the calls of a program below its own entry. Pinned ones stay at the top. */
  get programs(): readonly { readonly entry: LoggedCall; readonly made: readonly LoggedCall[] }[] {
    const { entries } = this;
    const callsById = new Map(entries.map(({ id }): [string, LoggedCall[]] => [id, []]));
    const others = entries.filter((entry) => {
      const siblings =
        entry.mark?.pinned === true ? undefined : callsById.get(entry.call.parent ?? '');
      siblings?.push(entry);
      return siblings === undefined;
    });
    return others.map((entry) => ({ entry, made: callsById.get(entry.id) ?? [] }));
  }

  get more(): boolean {
    return this.#found.length > this.#shown;
  }

  get count(): number {
    return this.#log.current.count;
  }

  /** Number of pinned runs that stay when the log is cleared; 0 if all runs are pinned, since clearing then removes them. */
  get keptCount(): number {
    const pinned = this.#log.current.pinned().length;
    return pinned < this.count ? pinned : 0;
  }

  /** Approximate size of the log in bytes. */
  get bytes(): number {
    return this.#log.current.bytes;
  }

  get(id: string): LoggedCall | undefined {
    return this.#log.current.get(id);
  }

  /** The latest calls to one tool of the open folder. */
  ofTool(tool: string, max: number): readonly LoggedCall[] {
    return pinnedFirst(this.#recent(tool)).slice(0, max);
  }

  /** The user's latest call to one tool of the open folder. */
  lastOf(tool: string): LoggedCall | undefined {
    return this.#recent(tool).find(({ call }) => call.caller === 'user');
  }

  /** The latest call of each tool that was called last in the open folder, newest first, without those of tests. */
  recentTools(max: number): readonly LoggedCall[] {
    const folder = this.#folder();
    if (folder === null) return [];
    const latest = new Map<string, LoggedCall>();
    for (const entry of this.#log.current.recent(recalledCalls)) {
      if (entry.folderId !== folder || entry.call.caller === 'test') continue;
      if (!latest.has(entry.call.tool)) latest.set(entry.call.tool, entry);
      if (latest.size === max) break;
    }
    return [...latest.values()];
  }

  /** Arguments that the user gave a tool of the open folder, newest first, each once. */
  earlierArguments(tool: string): readonly JsonText[] {
    const userCalls = this.#recent(tool).filter(
      (entry) => entry.call.caller === 'user' && !entry.cut,
    );
    return [...new Set(userCalls.map((entry) => entry.call.arguments))].slice(0, recalledArguments);
  }

  /** Names a run; an empty name removes its name. */
  name(id: string, name: string): void {
    this.#log.current.mark(id, {
      name,
      pinned: this.get(id)?.mark?.pinned === true,
      at: Date.now(),
    });
  }

  /** @returns false if too many runs are pinned */
  pin(id: string, pinned: boolean): boolean {
    return this.#log.current.mark(id, {
      name: this.get(id)?.mark?.name ?? '',
      pinned,
      at: Date.now(),
    });
  }

  /** Ids of the runs to compare. */
  get chosen(): readonly string[] {
    return this.#chosen.filter((id) => this.get(id) !== undefined);
  }

  /** Adds a run to those to compare, or removes it. If there are too many, the first one is removed. */
  choose(id: string, isChosen: boolean): void {
    const others = this.chosen.filter((one) => one !== id);
    this.#chosen = isChosen ? [...others, id].slice(-maxCompared) : others;
  }

  chooseNone(): void {
    this.#chosen = [];
  }

  search(query: string): void {
    this.query = query;
    this.#shown = pageEntries;
    this.#search();
  }

  showMore(): void {
    this.#shown += pageEntries;
  }

  async clear(): Promise<void> {
    await this.#log.current.clear();
  }

  /** The whole log as JSON lines. */
  export(): Promise<Blob> {
    return exportCalls(this.#log.current.recent(Infinity).reverse());
  }

  /** Pinned calls first, then the latest ones: at most `max`. */
  #latest(max: number): readonly LoggedCall[] {
    return [...new Set([...this.#log.current.pinned(), ...this.#log.current.recent(max)])].slice(
      0,
      max,
    );
  }

  async #find(): Promise<void> {
    const words = this.query.trim();
    const searching = new AbortController();
    this.#searching = words === '' ? null : searching;
    if (words === '') {
      this.#matches = null;
      return;
    }
    const version = this.#version;
    try {
      this.#matches = await searchCalls(
        searching.signal,
        this.#log.current.recent(Infinity),
        words,
      );
    } catch (thrown) {
      if (searching.signal.aborted) return;
      this.#searching = null;
      throw thrown;
    }
    this.#searching = null;
    // The log has changed meanwhile.
    if (this.#version !== version) this.#follow();
  }

  #recent(tool: string): readonly LoggedCall[] {
    const folder = this.#folder();
    if (folder === null) return [];
    return this.#log.current
      .recent(recalledCalls)
      .filter((entry) => entry.call.tool === tool && entry.folderId === folder);
  }
}

function pinnedFirst(entries: readonly LoggedCall[]): readonly LoggedCall[] {
  const isPinned = ({ mark }: LoggedCall): boolean => mark?.pinned === true;
  return [...entries.filter(isPinned), ...entries.filter((entry) => !isPinned(entry))];
}

export const callers: Readonly<Record<Caller, string>> = {
  user: 'you',
  model: 'model',
  http: 'API',
  mcp: 'MCP',
  webmcp: 'WebMCP',
  page: 'page',
  extension: 'extension',
  'sub-agent': 'sub-agent',
  test: 'test',
  program: 'program',
  app: 'app',
};
