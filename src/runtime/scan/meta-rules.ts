/** The values that each draft of JSON Schema allows for each keyword, according to its meta-schema. */

import { isObject } from '../spec/guards.ts';
import type { Json, JsonObject } from '../spec/json.ts';
import type { SchemaDraft } from '../spec/schema-walk.ts';

export interface RuleFault {
  /** Keys from the keyword's value to the invalid part. */
  readonly inside: readonly string[];
  readonly message: string;
  readonly hint?: string;
}

/**
 * Finds the invalid parts of a keyword's value. Subschemas in it are not checked, except that each must be a schema.
 *
 * @param schema the schema that has the keyword
 */
type Rule = (value: Json, draft: SchemaDraft, schema: JsonObject) => Iterable<RuleFault>;

/** The rules of a draft, by keyword. Any value is allowed for other keywords. */
export function rulesOf(draft: SchemaDraft): ReadonlyMap<string, Rule> {
  let rules = byDraft.get(draft);
  if (rules === undefined) {
    rules = new Map(
      table
        .filter(([, , from, to]) => from <= draft && draft <= to)
        .flatMap(([keywords, rule]) => keywords.split(' ').map((keyword) => [keyword, rule])),
    );
    byDraft.set(draft, rules);
  }
  return rules;
}

const byDraft = new Map<SchemaDraft, ReadonlyMap<string, Rule>>();

function expecting(message: string, isValid: (value: Json) => boolean): Rule {
  return (value) => (isValid(value) ? [] : [{ inside: [], message }]);
}

const isText = (value: Json): value is string => typeof value === 'string';
const isNumber = (value: Json): value is number => Number.isFinite(value);

const text = expecting('must be a string', isText);
const flag = expecting('must be true or false', (value) => typeof value === 'boolean');
const number = expecting('must be a number', isNumber);
const positive = expecting('must be a number above 0', (value) => isNumber(value) && value > 0);
const size = expecting(
  'must be an integer, at least 0',
  (value) => Number.isInteger(value) && Number(value) >= 0,
);
const list = expecting('must be a list', Array.isArray);
const id = expecting(
  'must be an address without a fragment',
  (value) => isText(value) && /^[^#]*#?$/u.test(value),
);
const anchor2019 = expecting(
  'must be a name that begins with a letter',
  (value) => isText(value) && /^[A-Za-z][-A-Za-z0-9.:_]*$/u.test(value),
);
const anchor = expecting(
  'must be a name that begins with a letter or “_”',
  (value) => isText(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/u.test(value),
);

const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

/** Type names of Python and TypeScript, with their names in JSON Schema. */
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

function* typeName(value: Json, before: string): Iterable<RuleFault> {
  if (!isText(value)) {
    yield { inside: [], message: 'must be a type or a list of types' };
    return;
  }
  if (types.includes(value)) return;
  const lower = value.toLowerCase();
  const right = misnamed.get(lower) ?? types.find((type) => type === lower);
  yield {
    inside: [],
    message: `“${value.slice(0, 100)}” is not a JSON Schema type`,
    hint:
      right === undefined
        ? `Use one of ${types.join(', ')}; omit "type" to allow any value.`
        : `Write ${before}${JSON.stringify(right)}.`,
  };
}

function* type(value: Json): Iterable<RuleFault> {
  if (!Array.isArray(value)) {
    yield* typeName(value, '"type": ');
    return;
  }
  if (value.length === 0) yield { inside: [], message: 'must not be empty' };
  for (const [index, one] of value.entries()) yield* faultsBelow(String(index), typeName(one, ''));
  yield* repeated(value);
}

/** Up to draft 7, the list must not be empty, and must not repeat a value. */
function* values(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (!Array.isArray(value)) {
    yield { inside: [], message: 'must be a list of values' };
    return;
  }
  if (draft > 7) return;
  if (value.length === 0) yield { inside: [], message: 'must not be empty' };
  yield* repeated(value);
}

function* names(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (!Array.isArray(value)) {
    yield { inside: [], message: 'must be a list of names' };
    return;
  }
  if (draft === 4 && value.length === 0)
    yield { inside: [], message: 'must not be empty in draft 4', hint: 'Remove the empty list.' };
  for (const [index, one] of value.entries())
    yield* faultsBelow(String(index), text(one, draft, {}));
  yield* repeated(value);
}

function* required(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (typeof value !== 'boolean') yield* names(value, draft);
  else
    yield {
      inside: [],
      message: '“required” must be a list of names',
      hint: 'List the names of required parameters in "required", next to "properties".',
    };
}

/** The first item that equals an earlier item. The cost is linear in the length. */
function* repeated(items: readonly Json[]): Iterable<RuleFault> {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const key = JSON.stringify(item, sortMembers);
    if (seen.has(key)) {
      yield { inside: [String(index)], message: 'repeats an earlier item', hint: 'Remove it.' };
      return;
    }
    seen.add(key);
  }
}

function sortMembers(_key: string, value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Draft 4 has no boolean schemas. */
function* schema(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (isObject(value) || (typeof value === 'boolean' && draft > 4)) return;
  const message =
    draft === 4 ? 'must be an object: a schema' : 'must be a schema: an object, true or false';
  yield { inside: [], message };
}

/** A schema, or true or false: these keywords allow booleans in draft 4, too, so the rule of draft 6 applies. */
function* schemaOrFlag(value: Json): Iterable<RuleFault> {
  yield* schema(value, 6);
}

function* schemas(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (!Array.isArray(value) || value.length === 0) {
    yield { inside: [], message: 'must be a list of at least one schema' };
    return;
  }
  for (const [index, one] of value.entries()) yield* faultsBelow(String(index), schema(one, draft));
}

function* schemaOrSchemas(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  yield* Array.isArray(value) ? schemas(value, draft) : schema(value, draft);
}

function* schemaOrNames(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  yield* Array.isArray(value) ? names(value, draft) : schema(value, draft);
}

/** An object of named values, each by the same rule. */
function eachValue(rule: Rule): Rule {
  return function* (value, draft, owner) {
    if (!isObject(value)) {
      yield { inside: [], message: 'must be an object' };
      return;
    }
    for (const [key, one] of Object.entries(value))
      yield* faultsBelow(key, rule(one, draft, owner));
  };
}

/** A flag of draft 4 that must stand beside its limit. */
function flagBeside(limit: string): Rule {
  return function* (value, draft, owner) {
    yield* flag(value, draft, owner);
    if (!Object.hasOwn(owner, limit))
      yield { inside: [], message: `is only allowed beside “${limit}”` };
  };
}

function* faultsBelow(key: string, faults: Iterable<RuleFault>): Iterable<RuleFault> {
  for (const { inside, ...words } of faults) yield { inside: [key, ...inside], ...words };
}

/** Keywords, their rule, and the first and the last draft in which it holds. */
const table: readonly (readonly [string, Rule, SchemaDraft, SchemaDraft])[] = [
  ['id', text, 4, 4],
  ['$id', text, 6, 7],
  ['$id', id, 2019, 2020],
  ['$schema title description pattern', text, 4, 2020],
  ['$ref format', text, 6, 2020],
  ['$comment contentMediaType contentEncoding', text, 7, 2020],
  ['$anchor', anchor2019, 2019, 2019],
  ['$anchor $dynamicAnchor $recursiveAnchor', anchor, 2020, 2020],
  ['$dynamicRef', text, 2020, 2020],
  ['$recursiveRef', text, 2019, 2020],
  ['$recursiveAnchor', flag, 2019, 2019],
  ['$vocabulary', eachValue(flag), 2019, 2020],
  ['type', type, 4, 2020],
  ['enum', values, 4, 2020],
  ['examples', list, 6, 2020],
  ['multipleOf', positive, 4, 2020],
  ['minimum maximum', number, 4, 2020],
  ['exclusiveMinimum', flagBeside('minimum'), 4, 4],
  ['exclusiveMaximum', flagBeside('maximum'), 4, 4],
  ['exclusiveMinimum exclusiveMaximum', number, 6, 2020],
  ['minLength maxLength minItems maxItems minProperties maxProperties', size, 4, 2020],
  ['minContains maxContains', size, 2019, 2020],
  ['uniqueItems', flag, 4, 2020],
  ['readOnly', flag, 7, 2020],
  ['writeOnly deprecated', flag, 2019, 2020],
  ['required', required, 4, 2020],
  ['dependentRequired', eachValue(names), 2019, 2020],
  ['dependencies', eachValue(schemaOrNames), 4, 2020],
  ['not', schema, 4, 2020],
  ['contains propertyNames', schema, 6, 2020],
  ['if then else', schema, 7, 2020],
  ['contentSchema unevaluatedItems unevaluatedProperties', schema, 2019, 2020],
  ['additionalProperties', schemaOrFlag, 4, 2020],
  ['additionalItems', schemaOrFlag, 4, 2019],
  ['items', schemaOrSchemas, 4, 2019],
  ['items', schema, 2020, 2020],
  ['allOf anyOf oneOf', schemas, 4, 2020],
  ['prefixItems', schemas, 2020, 2020],
  ['properties patternProperties definitions', eachValue(schema), 4, 2020],
  ['$defs dependentSchemas', eachValue(schema), 2019, 2020],
];
