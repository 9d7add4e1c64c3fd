/** Whether a JSON Schema is one: each of its subschemas against the meta-schemas, in slices. */

import type { Validator } from 'virtual:cloche/validators';
import type { Json, JsonObject } from '../spec/json.ts';
import type { Pacer } from '../async/pace.ts';
import { isDraft4, schemaDraft } from './schema-draft.ts';
import { pointerKeys, schemaNodes, valueAt, withoutSubschemas } from '../spec/schema-walk.ts';

export interface SchemaFault {
  /** Keys from the whole schema to the value at fault. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

/**
 * What is wrong with a schema, no more than `most` of it. One that names no draft is fine if it
 * is so in either, since tool files rarely name one; what is wrong is then told as 2020-12 has it.
 */
export async function metaFaults(
  schema: JsonObject,
  most: number,
  pacer: Pacer,
): Promise<SchemaFault[]> {
  const draft = schemaDraft(schema);
  // Large, and not needed before the first scan.
  const { metaDraft07, metaDraft2020 } = await import('virtual:cloche/validators');
  if (draft === '7') return faultsBy(metaDraft07, schema, most, pacer);
  const faults = await faultsBy(metaDraft2020, schema, most, pacer);
  if (draft === '2020-12' || faults.length === 0) return faults;
  return (await faultsBy(metaDraft07, schema, 1, pacer)).length === 0 ? [] : faults;
}

async function faultsBy(
  validate: Validator,
  schema: JsonObject,
  most: number,
  pacer: Pacer,
): Promise<SchemaFault[]> {
  const faults = new Map<string, SchemaFault>();
  const draft4 = isDraft4(schema);
  for (const node of schemaNodes(schema)) {
    if (pacer.mustRest()) await pacer.rest();
    const own = boundedLists(withoutSubschemas(node.schema));
    const shallow = draft4 ? withoutFlags(own) : own;
    if (validate(shallow)) continue;
    for (const error of validate.errors ?? []) {
      const inside = pointerKeys(error.instancePath);
      const path = [...node.path, ...inside];
      const id = JSON.stringify(path);
      // Of several errors about one value the first is the plainest: `anyOf` sums up at the end.
      if (faults.has(id)) continue;
      faults.set(id, {
        path,
        ...described(error.message ?? 'is not valid', path, valueAt(shallow, inside)),
      });
      if (faults.size >= most) return [...faults.values()];
    }
  }
  return [...faults.values()];
}

/** Comparing each item of a list with each other one takes minutes for a long one. */
function boundedLists(schema: JsonObject): JsonObject {
  const bounded = { ...schema };
  // There are seven types, so that a longer list is wrong wherever it is cut.
  if (Array.isArray(schema.type)) bounded.type = schema.type.slice(0, 20);
  // Any values are allowed; that they should differ is advice.
  if (Array.isArray(schema.enum)) bounded.enum = [];
  return bounded;
}

/** What only draft 4 knows. */
function withoutFlags(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) => !(/^exclusiveM(in|ax)imum$/.test(key) && typeof value === 'boolean'),
    ),
  );
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Names that people who think in Python or TypeScript write, and what JSON Schema calls them. */
const misnamed = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['dict', 'object'],
  ['none', 'null'],
  ['nonetype', 'null'],
]);

function described(
  message: string,
  path: readonly string[],
  value: Json | undefined,
): Pick<SchemaFault, 'message' | 'hint'> {
  const keyword = path.at(-1);
  if (keyword === 'type' && typeof value === 'string') {
    const right =
      misnamed.get(value.toLowerCase()) ?? types.find((type) => type === value.toLowerCase());
    return {
      message: `“${value.slice(0, 100)}” is not a JSON Schema type`,
      hint:
        right === undefined
          ? `Use one of ${types.join(', ')}; omit "type" to allow any value.`
          : `Write "type": "${right}".`,
    };
  }
  if (keyword === 'required' && typeof value === 'boolean') {
    return {
      message: '“required” must be a list of names',
      hint: 'List the names of required parameters in "required", next to "properties".',
    };
  }
  return { message, hint: 'Write it as JSON Schema requires.' };
}
