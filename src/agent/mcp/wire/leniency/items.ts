/** Reads the items of lists: tools, prompts and resources whose definitions break the specification in a way that has one reading. */

import { isObject, isRecord, parseJson, type Fields } from '../../../../runtime/spec/guards.ts';
import { mapSame } from '../../../../runtime/spec/map-same.ts';
import { isEmptyList, isList, isMissing, isText, omitMember, type Note } from './reading.ts';

/** Notes a breach of one item. All items with the same breach share one note. */
type ItemNote = (what: string) => void;

const emptySchema = { type: 'object' };
/** Other names that servers give the schema of the arguments. */
const schemaNames = ['input_schema', 'parameters'] as const;
/** Members that may be left out, with a check of their values. */
const optional: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  outputSchema: isObject,
  annotations: isObject,
  _meta: isObject,
};

/** Reads the items of a list. Items that are valid stay the same objects. */
export function readItems(
  method: string,
  items: readonly unknown[],
  note: Note,
): readonly unknown[] {
  const breaches = new Map<string, { count: number; first: string }>();
  const read = mapSame(items, (item, at) => {
    if (!isObject(item)) return item;
    return readItem(method, item, (what) => {
      const { name, uri } = item;
      const first = [name, uri].find(isText)?.slice(0, 60) ?? `number ${at + 1}`;
      const before = breaches.get(what);
      if (before === undefined) breaches.set(what, { count: 1, first });
      else before.count += 1;
    });
  });
  for (const [what, { count, first }] of breaches)
    note(`${method}: “${first}”${count > 1 ? ` and ${count - 1} more` : ''}: ${what}.`);
  return read;
}

function readItem(method: string, item: Fields, note: ItemNote): Fields {
  let read = withoutInvalid(item, note);
  if (method === 'tools/list') read = withSchema(read, note);
  else if (method === 'prompts/list' && read.arguments === null) {
    note('arguments is null: read as none');
    read = omitMember(read, 'arguments');
  } else if (method.startsWith('resources/') && !isText(read.name)) {
    note('it has no name: shown by its address');
  }
  return read;
}

/** Leaves out optional members that are null or of another type. */
function withoutInvalid(item: Fields, note: ItemNote): Fields {
  let read = item;
  for (const [member, isValid] of Object.entries(optional)) {
    const value = item[member];
    if (value === undefined || isValid(value)) continue;
    note(`${member} is ${value === null ? 'null' : 'of another type'}: left out`);
    read = omitMember(read, member);
  }
  return read;
}

function withSchema(tool: Fields, note: ItemNote): Fields {
  const { inputSchema } = tool;
  const given = schemaGiven(tool, note);
  const schema = given === null ? null : objectSchema(given, note);
  return schema === null || schema === inputSchema ? tool : { ...tool, inputSchema: schema };
}

/** Returns the schema of the arguments, under any of its names; null if it cannot be read. */
function schemaGiven(tool: Fields, note: ItemNote): Fields | null {
  const { inputSchema } = tool;
  const isEmpty = isObject(inputSchema) && Object.keys(inputSchema).length === 0;
  const other = schemaNames.find((name) => isObject(tool[name]));
  if (isObject(inputSchema) && !(isEmpty && other !== undefined)) return inputSchema;
  const parsed = parseJson(inputSchema);
  if (isObject(parsed)) {
    note('inputSchema is a string: read as the JSON in it');
    return parsed;
  }
  if (isMissing(inputSchema) || isEmpty) {
    const schema = other === undefined ? null : tool[other];
    note(
      other === undefined
        ? 'it has no inputSchema: read as a tool without arguments'
        : `it has ${other} and ${isEmpty ? 'an empty' : 'no'} inputSchema: ${other} is read as inputSchema`,
    );
    return isObject(schema) ? schema : emptySchema;
  }
  return null;
}

/** The schema with the type that the specification requires; null if it has another one. */
function objectSchema(schema: Fields, note: ItemNote): Fields | null {
  let read = schema;
  const { type, properties, required } = schema;
  if (isMissing(type) || (Array.isArray(type) && type.includes('object'))) {
    note('inputSchema has no type "object": read as if it had');
    read = { ...read, type: 'object' };
  } else if (type !== 'object') return null;
  // Programs in PHP write an empty object as an empty list.
  if (properties === null || isEmptyList(properties)) {
    note('inputSchema.properties is not an object: read as none');
    read = omitMember(read, 'properties');
  }
  if (required === null) {
    note('inputSchema.required is null: read as none');
    read = omitMember(read, 'required');
  }
  return read;
}

/** Returns the items of a list. Some servers write it as an object whose keys are the names of the items. */
export function itemsOf(value: unknown): readonly unknown[] | null {
  if (isList(value)) return value;
  if (!isRecord(value) || !Object.values(value).every(isObject)) return null;
  return Object.entries(value).map(([name, item]) => ({ name, ...(isObject(item) ? item : {}) }));
}
