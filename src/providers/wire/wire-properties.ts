/** Names of parameters as a provider that limits them accepts them, and the way back. */

import { withWireProperties } from '../../registry/definitions.ts';
import type { NameTable } from '../../registry/name-table.ts';
import { propertyNames } from '../../registry/provider-names.ts';
import type { JsonText } from '../../spec/json.ts';
import { objectMembers } from '../../spec/json-members.ts';
import type { ToolDefinition } from '../../spec/model.ts';
import type { Prepared } from './adapter.ts';

/** A tool of whose parameters two cannot be told apart goes out as it is: only it may be refused. */
export async function wireProperties(
  tools: readonly ToolDefinition[],
): Promise<Required<Pick<Prepared, 'tools' | 'toWire' | 'restore'>>> {
  const tables = new Map<string, NameTable>();
  const reported: ToolDefinition[] = [];
  for (const tool of tools) {
    const names = await propertyNames(tool.parameters);
    const changed = names.refused.length === 0 && names.entries.some(([key, wire]) => key !== wire);
    if (changed) tables.set(tool.name, names);
    reported.push(changed ? { ...tool, parameters: await withWireProperties(tool) } : tool);
  }
  return {
    tools: reported,
    toWire: (tool, text) => {
      const names = tables.get(tool);
      return names === undefined ? text : renamed(text, (key) => names.toWire(key));
    },
    restore: (tool, text) => {
      const names = tables.get(tool);
      return names === undefined ? text : renamed(text, (key) => names.toId(key));
    },
  };
}

/** The object with its outermost keys renamed, and everything else as it is spelt. */
function renamed(text: JsonText, rename: (key: string) => string | undefined): JsonText {
  const members = objectMembers(text);
  if (members === null) return text;
  const all = Array.from(
    members,
    ([key, value]) => `${JSON.stringify(rename(key) ?? key)}:${value}`,
  );
  return `{${all.join(',')}}`;
}
