/** The tools of the open folder for the rail: searched, filtered, and grouped by file. */

import { coalesced } from '../../../async/coalesce.ts';
import type { Registry } from '../../../registry/registry.ts';
import type { Problem } from '../../../spec/problem.ts';
import type { RegisteredTool } from '../../../spec/tool.ts';

/** Interval between updates while the registry changes, as during a scan, which drawing slows down; milliseconds. */
const updateMs = 250;

export class ToolList {
  readonly #registry: Pick<Registry, 'list' | 'observe' | 'problems'>;
  readonly #dispose: () => void;
  readonly #haystacks = new WeakMap<RegisteredTool, string>();
  #tools: readonly RegisteredTool[] = $state.raw([]);
  #problems: readonly Problem[] = $state.raw([]);
  #query: string = $state('');
  #onlyProblems: boolean = $state(false);
  #closed: ReadonlySet<string> = $state.raw(new Set());
  readonly #groups: readonly FileGroup[] = $derived(
    groupTools(this.#tools, this.#problems, (tool) => this.#haystack(tool)),
  );
  readonly #files: number = $derived(this.#groups.filter(({ tools }) => tools.length > 0).length);
  readonly #rows: readonly ListRow[] = $derived(
    listRows(this.#groups, {
      query: this.#query,
      onlyProblems: this.#onlyProblems,
      closed: this.#closed,
    }),
  );
  readonly #read = coalesced(() => {
    this.#tools = this.#registry.list();
    this.#problems = this.#registry.problems;
  }, updateMs);

  constructor(registry: Pick<Registry, 'list' | 'observe' | 'problems'>) {
    this.#registry = registry;
    this.#dispose = registry.observe(this.#read);
    this.#read();
  }

  get all(): readonly RegisteredTool[] {
    return this.#tools;
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  get groups(): readonly FileGroup[] {
    return this.#groups;
  }

  /** Files that define tools; {@link groups} also has files with only problems. */
  get files(): number {
    return this.#files;
  }

  get rows(): readonly ListRow[] {
    return this.#rows;
  }

  /** Tools that match the search and the filter, including those in collapsed files. */
  get found(): number {
    return this.#rows.reduce((sum, row) => sum + (row.kind === 'file' ? row.shown : 0), 0);
  }

  get errors(): number {
    return this.#problems.filter((problem) => problem.severity === 'error').length;
  }

  get query(): string {
    return this.#query;
  }

  get onlyProblems(): boolean {
    return this.#onlyProblems;
  }

  get narrowed(): boolean {
    return this.#query.trim() !== '' || this.#onlyProblems;
  }

  /** The current version of a tool; reactive. */
  tool(name: string): RegisteredTool | undefined {
    return this.#tools.find((tool) => tool.name === name);
  }

  problemsOf(file: string): readonly Problem[] {
    return this.#problems.filter((problem) => problem.file === file);
  }

  /** Problems of a tool, and those of its file that belong to no tool. */
  problemsOfTool({ name, source }: RegisteredTool): readonly Problem[] {
    return this.problemsOf(source.file).filter(({ tool }) => tool === undefined || tool === name);
  }

  search(query: string): void {
    this.#query = query;
  }

  showOnlyProblems(only: boolean): void {
    this.#onlyProblems = only;
  }

  showAll(): void {
    this.#query = '';
    this.#onlyProblems = false;
  }

  fold(file: string, closed: boolean): void {
    const next = new Set(this.#closed);
    if (closed) next.add(file);
    else next.delete(file);
    this.#closed = next;
  }

  dispose(): void {
    this.#dispose();
    this.#read.cancel();
  }

  #haystack(tool: RegisteredTool): string {
    const known = this.#haystacks.get(tool) ?? haystackOf(tool);
    this.#haystacks.set(tool, known);
    return known;
  }
}

export interface FileGroup {
  readonly file: string;
  readonly tools: readonly Entry[];
  readonly errors: number;
  readonly warnings: number;
}

export interface Entry {
  readonly tool: RegisteredTool;
  /** The searched text, in lower case. */
  readonly haystack: string;
}

export type ListRow =
  | {
      readonly kind: 'file';
      readonly key: string;
      readonly group: FileGroup;
      readonly shown: number;
      readonly open: boolean;
    }
  | { readonly kind: 'tool'; readonly key: string; readonly tool: RegisteredTool };

export interface Narrowing {
  readonly query: string;
  readonly onlyProblems: boolean;
  readonly closed: ReadonlySet<string>;
}

/** Limit of the searched start of a description, which may be very long; characters. */
const haystackChars = 2_000;

/** The searched text of a tool. */
export function haystackOf(tool: RegisteredTool): string {
  return `${tool.name} ${tool.label} ${tool.source.file} ${tool.description.slice(0, haystackChars)}`.toLowerCase();
}

/** Tools by file, including files with only problems, sorted by file and line. */
export function groupTools(
  tools: readonly RegisteredTool[],
  problems: readonly Problem[],
  haystack: (tool: RegisteredTool) => string,
): readonly FileGroup[] {
  const groups = new Map<string, { tools: Entry[]; errors: number; warnings: number }>();
  const groupOf = (file: string): { tools: Entry[]; errors: number; warnings: number } => {
    const known = groups.get(file) ?? { tools: [], errors: 0, warnings: 0 };
    groups.set(file, known);
    return known;
  };
  for (const tool of tools)
    groupOf(tool.source.file).tools.push({ tool, haystack: haystack(tool) });
  for (const { file, severity } of problems) {
    if (file === '') continue;
    const group = groupOf(file);
    if (severity === 'error') group.errors += 1;
    else group.warnings += 1;
  }
  const inOrder = Array.from(groups, ([file, group]) => ({ file, ...group }));
  for (const { tools: entries } of inOrder)
    entries.sort((a, b) => a.tool.source.line - b.tool.source.line);
  return inOrder.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Rows to show, in order. A search expands every file with a match. */
export function listRows(groups: readonly FileGroup[], narrowing: Narrowing): readonly ListRow[] {
  const terms = narrowing.query.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: ListRow[] = [];
  for (const group of groups) {
    if (narrowing.onlyProblems && group.errors + group.warnings === 0) continue;
    const found =
      terms.length === 0
        ? group.tools
        : group.tools.filter((entry) => hasAll(entry.haystack, terms));
    if (terms.length > 0 && found.length === 0 && !hasAll(group.file.toLowerCase(), terms))
      continue;
    const open = terms.length > 0 || !narrowing.closed.has(group.file);
    rows.push({ kind: 'file', key: `f ${group.file}`, group, shown: found.length, open });
    if (!open) continue;
    for (const { tool } of found) rows.push({ kind: 'tool', key: `t ${tool.name}`, tool });
  }
  return rows;
}

function hasAll(haystack: string, terms: readonly string[]): boolean {
  return terms.every((term) => haystack.includes(term));
}
