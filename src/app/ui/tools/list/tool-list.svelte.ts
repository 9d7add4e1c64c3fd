/** The tools of the open folder for the rail: searched, filtered, and grouped by file. */

import { coalesce } from '../../../../runtime/async/coalesce.ts';
import type { OpenFolder } from '../../../../runtime/open-folder/current-folder.ts';
import type { FileSettings, Registry } from '../../../../runtime/registry/registry.ts';
import type { Problem } from '../../../../runtime/spec/folder.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';

/**
 * Interval between updates while the registry changes, as during a scan, which drawing slows down; milliseconds. The end
 * of a scan is shown at once.
 */
const updateMs = 250;

type ListedRegistry = Pick<Registry, 'list' | 'observe' | 'problems' | 'settings' | 'state'>;

export class ToolList {
  readonly #registry: ListedRegistry;
  readonly #fails: Fails;
  readonly #current: () => OpenFolder | null;
  readonly #haystacks = new WeakMap<RegisteredTool, string>();
  all: readonly RegisteredTool[] = $state.raw([]);
  problems: readonly Problem[] = $state.raw([]);
  /** The settings that the folder's files declare. */
  settings: readonly FileSettings[] = $state.raw([]);
  /** The open folder, whose files change together with the tools. */
  folder: OpenFolder | null = $state.raw(null);
  /** Returns the names of the tools in the text of a file, which may not be loaded. Set once its code has loaded. */
  namesIn: (file: string) => readonly string[] = $state.raw(() => []);
  query: string = $state('');
  filter: StateFilter = $state('all');
  #closed: ReadonlySet<string> = $state.raw(new Set());
  readonly groups: readonly FileGroup[] = $derived(
    groupTools(this.all, this.problems, (tool) => this.#haystack(tool), this.namesIn),
  );
  /** Tools that could not be loaded, and of which no earlier version is in use. */
  readonly broken: number = $derived(
    this.groups.reduce((sum, { broken }) => sum + broken.length, 0),
  );
  readonly rows: readonly ListRow[] = $derived(
    listRows(this.groups, {
      query: this.query,
      filter: this.filter,
      closed: this.#closed,
      fails: (tool) => this.#fails(tool),
    }),
  );
  readonly #read = coalesce(() => {
    this.all = this.#registry.list();
    this.problems = this.#registry.problems;
    this.settings = this.#registry.settings;
    this.folder = this.#current();
  }, updateMs);

  /** @param fails must be reactive */
  constructor(
    registry: ListedRegistry,
    fails: Fails,
    current: () => OpenFolder | null = () => null,
  ) {
    this.#registry = registry;
    this.#fails = fails;
    this.#current = current;
    let { state } = registry;
    registry.observe(() => {
      const hasEnded = state === 'scanning' && registry.state !== 'scanning';
      ({ state } = registry);
      if (hasEnded) this.#read.now();
      else this.#read();
    });
    this.#read();
  }

  /** Tools that match the search and the filter, including those in collapsed files. */
  get found(): number {
    return this.rows.reduce((sum, row) => sum + (row.kind === 'file' ? row.shown : 0), 0);
  }

  get errors(): number {
    return this.problems.filter((problem) => problem.severity === 'error').length;
  }

  get warnings(): number {
    return this.problems.filter((problem) => problem.severity === 'warning').length;
  }

  /** Name of the tool that matches the search best: whose name starts with it, else contains it, else the first. */
  get best(): string | undefined {
    const query = this.query.trim().toLowerCase();
    const names = this.rows.flatMap((row) => (row.kind === 'tool' ? [row.tool.name] : []));
    const functionName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();
    return (
      names.find((name) => functionName(name).startsWith(query)) ??
      names.find((name) => functionName(name).includes(query)) ??
      names[0]
    );
  }

  /** The row of {@link best}; the first one if no tool is shown. */
  get bestRow(): number {
    const { best } = this;
    return Math.max(
      0,
      this.rows.findIndex((row) => row.kind === 'tool' && row.tool.name === best),
    );
  }

  /** Whether the tool matches the search and the filter, even if its file is collapsed. */
  shows(tool: RegisteredTool): boolean {
    return this.rows.some((row) =>
      row.kind === 'file'
        ? !row.open && row.group.file === tool.source.file
        : row.kind === 'tool' && row.tool.name === tool.name,
    );
  }

  get narrowed(): boolean {
    return this.query.trim() !== '' || this.filter !== 'all';
  }

  /** The current version of a tool; reactive. */
  tool(name: string): RegisteredTool | undefined {
    return this.all.find((tool) => tool.name === name);
  }

  problemsOf(file: string): readonly Problem[] {
    return this.problems.filter((problem) => problem.file === file);
  }

  search(query: string): void {
    this.query = query;
  }

  filterBy(filter: StateFilter): void {
    this.filter = filter;
  }

  showAll(): void {
    this.query = '';
    this.filter = 'all';
  }

  fold(file: string, closed: boolean): void {
    const next = new Set(this.#closed);
    if (closed) next.add(file);
    else next.delete(file);
    this.#closed = next;
  }

  #haystack(tool: RegisteredTool): string {
    const known = this.#haystacks.get(tool) ?? haystackOf(tool);
    this.#haystacks.set(tool, known);
    return known;
  }
}

/**
 * `errors`: broken tools, and files with an error. `last-good`: tools whose file has an error since it was changed.
 * `failing`: tools with a saved test that fails.
 */
export const stateFilters = ['all', 'errors', 'warnings', 'last-good', 'failing'] as const;
export type StateFilter = (typeof stateFilters)[number];

export interface FileGroup {
  readonly file: string;
  readonly tools: readonly Entry[];
  readonly broken: readonly BrokenTool[];
  readonly errors: number;
  readonly warnings: number;
  /** Whether a warning is the file's, not a tool's. */
  readonly warned: boolean;
}

export interface Entry {
  readonly tool: RegisteredTool;
  /** The searched text, in lower case. */
  readonly haystack: string;
  readonly warned: boolean;
}

export interface BrokenTool {
  readonly name: string;
  /** The first error of the spec. */
  readonly problem: Problem;
}

export type ListRow =
  | {
      readonly kind: 'file';
      readonly key: string;
      readonly group: FileGroup;
      readonly shown: number;
      readonly open: boolean;
    }
  | { readonly kind: 'tool'; readonly key: string; readonly tool: RegisteredTool }
  | { readonly kind: 'broken'; readonly key: string; readonly broken: BrokenTool };

export interface Narrowing {
  readonly query: string;
  readonly filter: StateFilter;
  readonly closed: ReadonlySet<string>;
  readonly fails: Fails;
}

/** Whether a saved test of a tool fails. */
type Fails = (tool: string) => boolean;

/** Limit of the searched start of a description, which may be very long; characters. */
const haystackChars = 2_000;

/** The searched text of a tool. */
export function haystackOf(tool: RegisteredTool): string {
  return `${tool.name} ${tool.label} ${tool.source.file} ${tool.description.slice(0, haystackChars)}`.toLowerCase();
}

interface GroupBeingMade {
  tools: Entry[];
  broken: Map<string, Problem>;
  errors: number;
  warnings: number;
  warned: boolean;
}

/** Tools by file, including broken ones and files with only problems, sorted by file and line. */
export function groupTools(
  tools: readonly RegisteredTool[],
  problems: readonly Problem[],
  haystack: (tool: RegisteredTool) => string,
  namesIn: (file: string) => readonly string[] = () => [],
): readonly FileGroup[] {
  const groups = new Map<string, GroupBeingMade>();
  const groupOf = (file: string): GroupBeingMade => {
    const known = groups.get(file) ?? {
      tools: [],
      broken: new Map<string, Problem>(),
      errors: 0,
      warnings: 0,
      warned: false,
    };
    groups.set(file, known);
    return known;
  };
  const names = new Set(tools.map(({ name }) => name));
  const warned = new Set<string>();
  for (const problem of problems) {
    const { file, severity, tool } = problem;
    if (file === '' || severity === 'note') continue;
    const group = groupOf(file);
    if (severity === 'error') {
      group.errors += 1;
      // An error of the whole file, such as wrong syntax, is an error of each of its tools.
      for (const name of tool === undefined ? namesIn(file) : [tool])
        if (!names.has(name) && !group.broken.has(name)) group.broken.set(name, problem);
    } else {
      group.warnings += 1;
      if (tool === undefined) group.warned = true;
      else warned.add(`${file} ${tool}`);
    }
  }
  for (const tool of tools) {
    const entry = {
      tool,
      haystack: haystack(tool),
      warned: warned.has(`${tool.source.file} ${tool.name}`),
    };
    groupOf(tool.source.file).tools.push(entry);
  }
  const inOrder = Array.from(groups, ([file, { broken, ...group }]) => ({
    file,
    ...group,
    broken: Array.from(broken, ([name, problem]) => ({ name, problem })),
  }));
  for (const { tools: entries } of inOrder)
    entries.sort((a, b) => a.tool.source.line - b.tool.source.line);
  return inOrder.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Whether a file's own row is shown for a filter, even without tools. */
const filesOf: Readonly<Record<StateFilter, (group: FileGroup) => boolean>> = {
  all: () => true,
  errors: ({ errors }) => errors > 0,
  warnings: ({ warned }) => warned,
  'last-good': () => false,
  failing: () => false,
};

/** Whether a tool is shown for a filter. */
const toolsOf: Readonly<Record<StateFilter, (entry: Entry, fails: Fails) => boolean>> = {
  all: () => true,
  errors: ({ tool }) => tool.state === 'last-good',
  warnings: (entry) => entry.warned,
  'last-good': ({ tool }) => tool.state === 'last-good',
  failing: ({ tool }, fails) => fails(tool.name),
};

/** Rows to show, in order: of each file its broken tools, then the others. A search expands every file with a match. */
export function listRows(groups: readonly FileGroup[], narrowing: Narrowing): readonly ListRow[] {
  const { filter, closed } = narrowing;
  const terms = narrowing.query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: ListRow[] = [];
  for (const group of groups) {
    const { file } = group;
    const found = group.tools.filter(
      (entry) => toolsOf[filter](entry, narrowing.fails) && hasAll(entry.haystack, terms),
    );
    const broken =
      filter === 'all' || filter === 'errors'
        ? group.broken.filter(({ name }) => hasAll(`${name} ${file}`.toLowerCase(), terms))
        : [];
    const isFileFound = filesOf[filter](group) && hasAll(file.toLowerCase(), terms);
    if (found.length === 0 && broken.length === 0 && !isFileFound) continue;
    const open = terms.length > 0 || !closed.has(file);
    rows.push({ kind: 'file', key: `f ${file}`, group, shown: found.length, open });
    if (!open) continue;
    for (const each of broken)
      rows.push({ kind: 'broken', key: `b ${file} ${each.name}`, broken: each });
    for (const { tool } of found) rows.push({ kind: 'tool', key: `t ${tool.name}`, tool });
  }
  return rows;
}

function hasAll(haystack: string, terms: readonly string[]): boolean {
  return terms.every((term) => haystack.includes(term));
}
