/** Maps parameter names to ones that a provider accepts, and back. */

import { withWireProperties } from '../../../runtime/registry/provider-definitions.ts';
import { propertyNames, type NameTable } from '../../../runtime/registry/provider-names.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import { objectMembers } from '../../../runtime/spec/json-reader.ts';
import type { ToolDefinition } from '../../../runtime/spec/model.ts';
import type { PreparedRequest } from './adapter.ts';

/**
 * Returns the tools with mapped names. A tool with two parameters that would get the same name stays unchanged, so only
 * that tool may be refused.
 */
export function wireProperties(tools: readonly ToolDefinition[]): Promise<WireProperties> {
  const known = latest.get(tools) ?? mapProperties(tools);
  latest.set(tools, known);
  return known;
}

type WireProperties = Required<Pick<PreparedRequest, 'tools' | 'toWire' | 'restore'>>;

/** The requests of a session have the same list of tools. */
const latest = new WeakMap<readonly ToolDefinition[], Promise<WireProperties>>();

async function mapProperties(tools: readonly ToolDefinition[]): Promise<WireProperties> {
  const tables = new Map<string, NameTable>();
  const reported: ToolDefinition[] = [];
  for (const tool of tools) {
    const names = await propertyNames(tool.parameters);
    const changed = names.refused.length === 0 && names.entries.some(([key, wire]) => key !== wire);
    if (changed) tables.set(tool.name, names);
    reported.push(changed ? { ...tool, ...(await withWireProperties(tool)) } : tool);
  }
  return {
    tools: reported,
    toWire: (tool, text) => {
      const names = tables.get(tool);
      return names === undefined ? text : renameKeys(text, (key) => names.toWire(key));
    },
    restore: (tool, text) => {
      const names = tables.get(tool);
      return names === undefined ? text : renameKeys(text, (key) => names.toId(key));
    },
  };
}

/** Renames the top-level keys of a JSON object; everything else keeps its spelling. */
function renameKeys(text: JsonText, rename: (key: string) => string | undefined): JsonText {
  const members = objectMembers(text);
  if (members === null) return text;
  const all = Array.from(
    members,
    ([key, value]) => `${JSON.stringify(rename(key) ?? key)}:${value}`,
  );
  return `{${all.join(',')}}`;
}
