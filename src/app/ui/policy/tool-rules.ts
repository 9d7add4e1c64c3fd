/** The user's approval rules for tools, beside those of the tool files. */

import type { RuledTool, ToolRule } from '../../../runtime/grants/folder-policy.ts';
import {
  type Decision,
  parseDefinitionPermission,
  type RegisteredTool,
} from '../../../runtime/spec/tool.ts';
import { dayAndTime } from '../parts/format.ts';

export interface RuledRow {
  /** The name of the user's permissions for the tool. */
  readonly tool: string;
  /** The name of the tool. */
  readonly name: string;
  readonly rule: ToolRule | null;
  /** The tool file's setting for approval, as text. */
  readonly spec: string;
  /** The definition that a rule for a tool of a server is for; null for other tools, and without a rule. */
  readonly definition: {
    readonly hash: string;
    /** Whether the tool still has this definition. */
    readonly isCurrent: boolean;
    /** When the rule was made; null if it is not known. */
    readonly at: number | null;
  } | null;
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
export function listRuledTools(
  listed: readonly Pick<RegisteredTool, 'name' | 'permission' | 'requires_approval'>[],
  rules: readonly RuledTool[],
): readonly RuledRow[] {
  const tools = listed.map(({ name, permission = name, requires_approval }) => ({
    permission,
    requires_approval,
  }));
  const byTool = new Map(rules.map((ruled) => [ruled.tool, ruled]));
  const rows = tools
    .filter(
      ({ permission, requires_approval }) => requires_approval !== false || byTool.has(permission),
    )
    .map(({ permission, requires_approval }) =>
      row(permission, byTool.get(permission), requires_approval, { isCurrent: true }),
    );
  const here = new Set(tools.map(({ permission }) => permission));
  const removed = rules.filter(({ tool }) => !here.has(tool));
  const all = [
    ...rows,
    ...removed.map((ruled) => row(ruled.tool, ruled, false, { isCurrent: false })),
  ];
  return all.sort((a, b) => (a.tool < b.tool ? -1 : 1));
}

function row(
  permission: string,
  ruled: RuledTool | undefined,
  decision: Decision,
  { isCurrent }: { isCurrent: boolean },
): RuledRow {
  const known = parseDefinitionPermission(permission);
  const definition =
    known === null || ruled === undefined
      ? null
      : { hash: known.definition, isCurrent, at: ruled.at ?? null };
  const { rule = null } = ruled ?? {};
  return {
    tool: permission,
    name: known?.tool ?? permission,
    rule,
    spec: specWords(decision),
    definition,
  };
}

/** Says whether a rule for a tool of a server still applies. @param isChanged whether the server now lists another definition */
export function definitionWords(
  { rule }: Pick<RuledRow, 'rule'>,
  { isCurrent, at }: Omit<NonNullable<RuledRow['definition']>, 'hash'>,
  isChanged: boolean,
): string {
  const since = `${ruleVerbs[rule ?? 'ask']}${at === null ? '' : ` on ${dayAndTime(at)}`}`;
  if (!isCurrent)
    return 'This rule is for a definition that the server no longer lists, so it has no effect.';
  if (isChanged) return `The server has changed the definition since you ${since}.`;
  return `Definition unchanged since you ${since}.`;
}

const ruleVerbs: Readonly<Record<ToolRule, string>> = {
  ask: 'chose this',
  always: 'allowed it',
  never: 'blocked it',
};

/** Describes a tool file's setting for approval. */
export function specWords(decision: Decision): string {
  if (decision === 'callable') return 'depends on the arguments';
  return decision ? 'ask each time' : 'allow';
}
