/** Validates a JSON Schema: each of its subschemas against the meta-schema, in slices. */

import type { Validator } from 'virtual:cloche/validators';
import type { Pacer } from '../async/pace.ts';
import type { Json, JsonObject } from '../spec/json.ts';
import { pointerKeys, schemaNodes, valueAt, withoutSubschemas } from '../spec/schema-walk.ts';

export interface SchemaFault {
  /** Keys from the root schema to the invalid value. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

/**
 * Returns at most `most` faults of a schema. A schema without `$schema`, as in most tool files, is valid if one of the
 * two drafts accepts it; otherwise the faults are those by 2020-12.
 */
export async function metaFaults(
  schema: JsonObject,
  most: number,
  pacer: Pacer,
): Promise<SchemaFault[]> {
  const draft = schemaDraft(schema);
  // The validators are large, and not needed before the first scan.
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
      // Keep the first error for each value: it is the simplest, and `anyOf` comes last.
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

/** Shortens lists, since validators compare each item with each other one, which takes minutes for long lists. */
function boundedLists(schema: JsonObject): JsonObject {
  const bounded = { ...schema };
  // There are only seven types, so a longer list stays invalid when it is cut.
  if (Array.isArray(schema.type)) bounded.type = schema.type.slice(0, 20);
  // Any values are allowed; uniqueness is only recommended.
  if (Array.isArray(schema.enum)) bounded.enum = [];
  return bounded;
}

/** Removes boolean `exclusiveMinimum` and `exclusiveMaximum`, which only draft 4 has. */
function withoutFlags(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) => !(/^exclusiveM(in|ax)imum$/.test(key) && typeof value === 'boolean'),
    ),
  );
}

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Type names from Python or TypeScript, and their names in JSON Schema. */
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

/** `any` means that the schema does not say, so it may be valid by either. */
type SchemaDraft = '2020-12' | '7' | 'any';

/** Reads `$schema`. Drafts older than 2020-12 are treated as draft 7. */
function schemaDraft(schema: JsonObject): SchemaDraft {
  const address = schema.$schema;
  if (typeof address !== 'string') return 'any';
  return /draft-0?[3-7]|draft\/2019-09/.test(address) ? '7' : '2020-12';
}

/** Draft 4 uses `exclusiveMinimum: true` beside `minimum`, where later drafts use a number. */
function isDraft4(schema: JsonObject): boolean {
  return /draft-0?[34]/.test(typeof schema.$schema === 'string' ? schema.$schema : '');
}
