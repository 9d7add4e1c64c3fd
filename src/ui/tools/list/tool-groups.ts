/** The tools list in rows: files, and below each its tools, narrowed down by what a person asks for. */

import type { Problem } from '../../../spec/problem.ts';
import type { RegisteredTool } from '../../../spec/tool.ts';

export interface FileGroup {
  readonly file: string;
  readonly tools: readonly Entry[];
  readonly errors: number;
  readonly warnings: number;
}

export interface Entry {
  readonly tool: RegisteredTool;
  /** What a search looks through, in lower case. */
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

/** Descriptions may be megabytes; what matters stands in their beginning. */
const haystackChars = 2_000;

/** What a search looks through for a tool. */
export function haystackOf(tool: RegisteredTool): string {
  return `${tool.name} ${tool.label} ${tool.source.file} ${tool.description.slice(0, haystackChars)}`.toLowerCase();
}

/** Tools by file, files with nothing but problems included; both in order of file, then line. */
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

/** Rows to show, in order. A search opens every file that it finds something in. */
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
