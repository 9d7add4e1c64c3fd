/** The call log for the drawer: newest first, searchable, paged. */

import { coalesced } from '../../../async/coalesce.ts';
import type { CallLog } from '../../../call/call-log.ts';
import type { Caller, LoggedCall } from '../../../spec/call.ts';
import type { JsonText } from '../../../spec/json.ts';

type Log = Pick<
  CallLog,
  'recent' | 'search' | 'get' | 'count' | 'bytes' | 'clear' | 'export' | 'observe'
>;

/** Number of entries shown at first, and added with each "Show more". */
const pageEntries = 100;
/** Number of calls from which arguments are recalled. */
const recalledCalls = 2_000;
const recalledArguments = 30;

export class RunLog {
  readonly #log: Log;
  readonly #folder: () => string | null;
  readonly #dispose: () => void;
  #version: number = $state(0);
  #query: string = $state('');
  /** The query that {@link entries} match; searches are not run at each key press, since the log may have megabytes. */
  #searched: string = $state('');
  #shown: number = $state(pageEntries);
  readonly #found: readonly LoggedCall[] = $derived(
    this.#find(this.#version, this.#searched, this.#shown),
  );
  readonly #search = coalesced(() => {
    this.#searched = this.#query;
  }, 200);
  readonly #follow = coalesced(() => {
    this.#version += 1;
  }, 150);

  /** @param folder id of the open folder, since arguments are not recalled for another one */
  constructor(log: Log, folder: () => string | null) {
    this.#log = log;
    this.#folder = folder;
    this.#dispose = log.observe(() => {
      this.#follow();
    });
  }

  /** Found entries, one page or more. */
  get entries(): readonly LoggedCall[] {
    return this.#found.slice(0, this.#shown);
  }

  /** Whether there are more than {@link entries}. */
  get more(): boolean {
    return this.#found.length > this.#shown;
  }

  get count(): number {
    return this.#version >= 0 ? this.#log.count : 0;
  }

  /** Approximate size of the log in bytes. */
  get bytes(): number {
    return this.#version >= 0 ? this.#log.bytes : 0;
  }

  get query(): string {
    return this.#query;
  }

  get(id: string): LoggedCall | undefined {
    return this.#version >= 0 ? this.#log.get(id) : undefined;
  }

  /** The latest calls to one tool of the open folder. */
  ofTool(tool: string, most: number): readonly LoggedCall[] {
    return this.#version >= 0 ? this.#recent(tool).slice(0, most) : [];
  }

  /** Arguments that the user gave a tool of the open folder, newest first, each once. */
  earlierArguments(tool: string): readonly JsonText[] {
    const given = this.#recent(tool).filter(
      (entry) => entry.call.caller === 'person' && !entry.cut,
    );
    return [...new Set(given.map((entry) => entry.call.arguments))].slice(0, recalledArguments);
  }

  search(query: string): void {
    this.#query = query;
    this.#shown = pageEntries;
    this.#search();
  }

  showMore(): void {
    this.#shown += pageEntries;
  }

  async clear(): Promise<void> {
    await this.#log.clear();
  }

  /** The whole log as JSON lines. */
  export(): Promise<Blob> {
    return this.#log.export();
  }

  dispose(): void {
    this.#dispose();
    this.#follow.cancel();
    this.#search.cancel();
  }

  #find(_version: number, query: string, shown: number): readonly LoggedCall[] {
    const words = query.trim();
    return words === '' ? this.#log.recent(shown + 1) : this.#log.search(words);
  }

  #recent(tool: string): readonly LoggedCall[] {
    const folder = this.#folder();
    if (folder === null) return [];
    return this.#log
      .recent(recalledCalls)
      .filter((entry) => entry.call.tool === tool && entry.folderId === folder);
  }
}

export const callers: Readonly<Record<Caller, string>> = {
  person: 'you',
  model: 'model',
  http: 'API',
  mcp: 'MCP',
  page: 'page',
  extension: 'extension',
  'sub-agent': 'sub-agent',
};
