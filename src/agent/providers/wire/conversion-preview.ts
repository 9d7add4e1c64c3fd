/** Converts a tool as each kind of provider requires it, by the rules that requests use. */

import { pointerOf } from '../../../runtime/spec/schema-walk.ts';
import { definitionFor } from '../../../runtime/registry/provider-definitions.ts';
import { propertyNames } from '../../../runtime/registry/provider-names.ts';
import type { ToolConversion, SchemaChange } from '../../../runtime/protocol/models.ts';
import { isObject } from '../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import type { HttpKind, ToolDefinition } from '../../../runtime/spec/model.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { toolRules, type ToolRules } from './tool-rules.ts';
import { wireProperties } from './wire-properties.ts';

/** Limit of the changes that are listed. */
const maxChanges = 100;

/** Returns one entry for each kind of provider, in a fixed order. */
export async function convertForAllKinds(tool: ToolDefinition): Promise<readonly ToolConversion[]> {
  const conversions: ToolConversion[] = [];
  for (const [kind, rules] of Object.entries(toolRules))
    conversions.push(await convertFor(kind as HttpKind, rules, tool));
  return conversions;
}

async function convertFor(
  kind: HttpKind,
  rules: ToolRules,
  tool: ToolDefinition,
): Promise<ToolConversion> {
  const { convertTool, limitsProperties, afterRefusal, format } = rules;
  const { name, description, parameters } = tool;
  const definitionWith = async (
    ...adjusted: readonly RequestAdjustment[]
  ): Promise<ToolDefinition> => {
    const changed = convertTool(tool, new Set(adjusted));
    const [sent = changed] = limitsProperties ? (await wireProperties([changed])).tools : [];
    return sent;
  };
  const names = limitsProperties === true ? await propertyNames(tool.parameters) : null;
  const renamed = names?.entries.filter(([name, wire]) => name !== wire) ?? [];
  const first = await definitionWith();
  return {
    kind,
    refused: names?.refused ?? [],
    renamed: names?.refused.length === 0 ? renamed : [],
    changes: changesOf(tool.parameters, first.parameters),
    describes:
      convertTool({ name, description, parameters }, new Set()).description !== description,
    afterRefusal:
      afterRefusal === undefined
        ? []
        : changesOf(first.parameters, (await definitionWith(afterRefusal)).parameters),
    definition:
      names === null || names.refused.length === 0 ? await definitionFor(format, first) : null,
  };
}

function changesOf(own: JsonObject, sent: JsonObject): readonly SchemaChange[] {
  const changes: SchemaChange[] = [];
  // The walk is not recursive, because schemas may be nested deeply.
  const places: [pointer: string, own: Json | undefined, sent: Json | undefined][] = [
    ['', own, sent],
  ];
  for (let place = places.pop(); place && changes.length < maxChanges; place = places.pop()) {
    const [pointer, a, b] = place;
    if (a === b) continue;
    if (a === undefined) changes.push({ pointer, is: 'added' });
    else if (b === undefined) changes.push({ pointer, is: 'left out' });
    else if (isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b)) {
      const before = new Map(Object.entries(a));
      const after = new Map(Object.entries(b));
      const keys = [...new Set([...before.keys(), ...after.keys()])];
      for (const key of keys.reverse())
        places.push([pointer + pointerOf([key]), before.get(key), after.get(key)]);
    } else changes.push({ pointer, is: 'changed' });
  }
  return changes;
}

function isContainer(value: Json): value is Json[] | JsonObject {
  return Array.isArray(value) || isObject(value);
}
