/** The tools that a session may use, compared with those of the open folder. */

import { definitionTokens } from '../../../../agent/turn/prompt.ts';
import { isForModels, toSelectedTool } from '../../../../runtime/registry/tool-extras.ts';
import type { SelectedTool } from '../../../../runtime/spec/session.ts';
import type { Decision, RegisteredTool } from '../../../../runtime/spec/tool.ts';

/** `gone`: no tool has this name; `broken`: its file has an error; `changed`: schema or description differ. */
export type ToolState = 'ready' | 'last-good' | 'changed' | 'broken' | 'gone';

export interface ChoiceRow {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly file: string;
  /** The tool file's setting for approval; null if the tool is not available. */
  readonly approval: Decision | null;
  /** Estimated tokens of the tool's definition, which are sent with each request. */
  readonly tokens: number;
  readonly state: ToolState;
}

export interface ChoiceGroup {
  /** The tool file; empty for tools that are in no file of the folder. */
  readonly file: string;
  readonly tools: readonly ChoiceRow[];
}

/** Tools that the folder offers to a session that has not begun. */
export function listOfferedTools(tools: readonly RegisteredTool[]): readonly ChoiceRow[] {
  return tools.filter(isForModels).map((tool) => {
    const { name, label, description, source, state } = tool;
    return {
      name,
      label,
      description,
      file: source.file,
      state,
      approval: tool.requires_approval,
      tokens: definitionTokens(toSelectedTool(tool, tools.length)),
    };
  });
}

/** The tools of a session, and the current state of each. @param broken tool files that now have an error */
export function listLockedTools(
  selected: readonly SelectedTool[],
  find: (name: string) => RegisteredTool | undefined,
  broken: ReadonlySet<string>,
): readonly ChoiceRow[] {
  return selected.map((tool) => {
    const now = find(tool.name);
    const file = now?.source.file ?? `${tool.name.split(':')[0] ?? ''}.py`;
    return {
      name: tool.name,
      label: now?.label ?? tool.name,
      description: tool.description,
      file,
      approval: now?.requires_approval ?? null,
      tokens: definitionTokens(tool),
      state: stateOf(tool, now, broken.has(file)),
    };
  });
}

export const stateWords: Readonly<Record<ToolState, string>> = {
  ready: '',
  'last-good': 'The file has an error. The last good version is in use.',
  changed:
    'Changed since the session started. The session uses the earlier schema and description.',
  broken: 'The file cannot be loaded. Calls will fail.',
  gone: 'Not in the open folder. Calls will fail.',
};

/** Tools whose name, label, description or file contains every word, by file. */
export function choiceGroups(rows: readonly ChoiceRow[], query: string): readonly ChoiceGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ChoiceRow[]>();
  for (const row of rows) {
    const text = `${row.name}\n${row.label}\n${row.description}\n${row.file}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const group = groups.get(row.file);
    if (group === undefined) groups.set(row.file, [row]);
    else group.push(row);
  }
  return Array.from(groups, ([file, tools]) => ({ file, tools }));
}

function stateOf(
  { description, parameters }: SelectedTool,
  now: RegisteredTool | undefined,
  broken: boolean,
): ToolState {
  if (now === undefined) return broken ? 'broken' : 'gone';
  const same =
    now.description === description &&
    JSON.stringify(now.parameters) === JSON.stringify(parameters);
  return same ? now.state : 'changed';
}
