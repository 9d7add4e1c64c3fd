/** The tools of the open folder as the rail lists them: searched, narrowed down, folded. */

import type { Registry } from '../../../registry/registry.ts';
import type { Problem } from '../../../spec/problem.ts';
import type { RegisteredTool } from '../../../spec/tool.ts';
import { coalesced } from '../../../async/coalesce.ts';
import { groupTools, haystackOf, listRows, type FileGroup, type ListRow } from './tool-groups.ts';

/** Milliseconds between two pictures of a registry that changes, as during a scan, which drawing slows down. */
const pictureMs = 250;

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
  }, pictureMs);

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

  /** Files that define tools: others are in {@link groups} for their problems. */
  get files(): number {
    return this.#files;
  }

  get rows(): readonly ListRow[] {
    return this.#rows;
  }

  /** Tools that the search and the narrowing leave, in folded files too. */
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

  /** The tool as it is now; follows the list, so that a page of it follows too. */
  tool(name: string): RegisteredTool | undefined {
    return this.#tools.find((tool) => tool.name === name);
  }

  problemsOf(file: string): readonly Problem[] {
    return this.#problems.filter((problem) => problem.file === file);
  }

  /** Of its own, and those of its file that belong to no single tool. */
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
