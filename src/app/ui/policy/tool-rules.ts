/** The user's approval rules for tools, beside those of the tool files. */

import type { RuledTool, ToolRule } from '../../../runtime/grants/folder-policy.ts';
import type { Decision, RegisteredTool } from '../../../runtime/spec/tool.ts';

export interface RuledRow {
  readonly tool: string;
  readonly rule: ToolRule | null;
  /** The tool file's setting for approval, as text. */
  readonly spec: string;
}

export interface RuleChoice {
  readonly value: ToolRule | 'spec';
  readonly words: string;
  readonly allows?: boolean;
}

export const ruleChoices: readonly RuleChoice[] = [
  { value: 'ask', words: 'Ask each time' },
  { value: 'always', words: 'Always allow', allows: true },
  { value: 'never', words: 'Never allow' },
];

/** Tools that require approval or have a rule, by name; a tool with a rule may have been removed. */
export function ruledTools(
  listed: readonly Pick<RegisteredTool, 'name' | 'permission' | 'requires_approval'>[],
  rules: readonly RuledTool[],
): readonly RuledRow[] {
  const tools = listed.map((tool) => ({ ...tool, name: tool.permission ?? tool.name }));
  const byTool = new Map(rules.map(({ tool, rule }) => [tool, rule]));
  const rows = tools
    .filter(({ name, requires_approval }) => requires_approval !== false || byTool.has(name))
    .map(({ name, requires_approval }) => row(name, byTool.get(name), requires_approval));
  const here = new Set(tools.map(({ name }) => name));
  const removed = rules.filter(({ tool }) => !here.has(tool));
  const all = [...rows, ...removed.map(({ tool, rule }) => row(tool, rule, false))];
  return all.sort((a, b) => (a.tool < b.tool ? -1 : 1));
}

function row(tool: string, rule: ToolRule | undefined, decision: Decision): RuledRow {
  return { tool, rule: rule ?? null, spec: specWords(decision) };
}

/** Describes a tool file's setting for approval. */
export function specWords(decision: Decision): string {
  if (decision === 'callable') return 'depends on the arguments';
  return decision ? 'ask each time' : 'allow';
}
