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
 * @param owner the schema that has the keyword
 */
type Rule = (value: Json, draft: SchemaDraft, owner: JsonObject) => Iterable<RuleFault>;

/** Returns the rules of a draft, by keyword. Any value is allowed for other keywords. */
export function rulesOf(draft: SchemaDraft): ReadonlyMap<string, Rule> {
  let rules = rulesByDraft.get(draft);
  if (rules === undefined) {
    rules = new Map(
      table
        .filter(({ from = 4, to = 2020 }) => from <= draft && draft <= to)
        .flatMap(({ keywords, rule }) => keywords.split(' ').map((keyword) => [keyword, rule])),
    );
    rulesByDraft.set(draft, rules);
  }
  return rules;
}

/** The results of {@link rulesOf} so far. */
const rulesByDraft = new Map<SchemaDraft, ReadonlyMap<string, Rule>>();

/** Returns a rule that reports the whole value with this message unless the value is valid. */
function ruleFor(message: string, isValid: (value: Json) => boolean): Rule {
  return (value) => (isValid(value) ? [] : [{ inside: [], message }]);
}

const isText = (value: Json): value is string => typeof value === 'string';
const isNumber = (value: Json): value is number => Number.isFinite(value);

const checkText = ruleFor('must be a string', isText);
const checkFlag = ruleFor('must be true or false', (value) => typeof value === 'boolean');
const checkNumber = ruleFor('must be a number', isNumber);
const checkPositive = ruleFor('must be a number above 0', (value) => isNumber(value) && value > 0);
const checkSize = ruleFor(
  'must be an integer, at least 0',
  (value) => Number.isInteger(value) && Number(value) >= 0,
);
const checkList = ruleFor('must be a list', Array.isArray);
const checkId = ruleFor(
  'must be an address without a fragment',
  (value) => isText(value) && /^[^#]*#?$/u.test(value),
);
const checkAnchor2019 = ruleFor(
  'must be a name that begins with a letter',
  (value) => isText(value) && /^[A-Za-z][-A-Za-z0-9.:_]*$/u.test(value),
);
const checkAnchor = ruleFor(
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

/** @param before the text before the type name in the hint that corrects it */
function* checkTypeName(value: Json, before: string): Iterable<RuleFault> {
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

function* checkType(value: Json): Iterable<RuleFault> {
  if (!Array.isArray(value)) {
    yield* checkTypeName(value, '"type": ');
    return;
  }
  if (value.length === 0) yield { inside: [], message: 'must not be empty' };
  for (const [index, item] of value.entries())
    yield* addKey(String(index), checkTypeName(item, ''));
  yield* findRepeated(value);
}

/** Up to draft 7, the list must not be empty, and must not repeat a value. */
function* checkEnum(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (!Array.isArray(value)) {
    yield { inside: [], message: 'must be a list of values' };
    return;
  }
  if (draft > 7) return;
  if (value.length === 0) yield { inside: [], message: 'must not be empty' };
  yield* findRepeated(value);
}

function* checkNames(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (!Array.isArray(value)) {
    yield { inside: [], message: 'must be a list of names' };
    return;
  }
  if (draft === 4 && value.length === 0)
    yield { inside: [], message: 'must not be empty in draft 4', hint: 'Remove the empty list.' };
  for (const [index, item] of value.entries())
    if (!isText(item)) yield { inside: [String(index)], message: 'must be a string' };
  yield* findRepeated(value);
}

function* checkRequired(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (typeof value !== 'boolean') yield* checkNames(value, draft);
  else
    yield {
      inside: [],
      message: '“required” must be a list of names',
      hint: 'List the names of required parameters in "required", next to "properties".',
    };
}

/** Finds the first item that equals an earlier item. The cost is linear in the length. */
function* findRepeated(items: readonly Json[]): Iterable<RuleFault> {
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
function* checkSchema(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (isObject(value) || (typeof value === 'boolean' && draft > 4)) return;
  const message =
    draft === 4 ? 'must be an object: a schema' : 'must be a schema: an object, true or false';
  yield { inside: [], message };
}

/** For keywords that allow a boolean even in draft 4. Applies the rule of draft 6, in which a schema may be a boolean. */
function checkSchemaOrFlag(value: Json): Iterable<RuleFault> {
  return checkSchema(value, 6);
}

function* checkSchemas(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  if (!Array.isArray(value) || value.length === 0) {
    yield { inside: [], message: 'must be a list of at least one schema' };
    return;
  }
  for (const [index, item] of value.entries())
    yield* addKey(String(index), checkSchema(item, draft));
}

function checkSchemaOrSchemas(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  return Array.isArray(value) ? checkSchemas(value, draft) : checkSchema(value, draft);
}

function checkSchemaOrNames(value: Json, draft: SchemaDraft): Iterable<RuleFault> {
  return Array.isArray(value) ? checkNames(value, draft) : checkSchema(value, draft);
}

/** Returns a rule for an object of named values, which applies `rule` to each of them. */
function ruleForEach(rule: Rule): Rule {
  return function* (value, draft, owner) {
    if (!isObject(value)) {
      yield { inside: [], message: 'must be an object' };
      return;
    }
    for (const [key, member] of Object.entries(value))
      yield* addKey(key, rule(member, draft, owner));
  };
}

/** Returns a rule for a flag of draft 4 that is allowed only in a schema that also has the keyword `limit`. */
function ruleForFlagOf(limit: string): Rule {
  return function* (value, draft, owner) {
    yield* checkFlag(value, draft, owner);
    if (!Object.hasOwn(owner, limit))
      yield { inside: [], message: `is only allowed beside “${limit}”` };
  };
}

/** Turns faults inside an item or a member into faults inside the list or object around it. */
function* addKey(key: string, faults: Iterable<RuleFault>): Iterable<RuleFault> {
  for (const fault of faults) yield { ...fault, inside: [key, ...fault.inside] };
}

/** Keywords, separated by spaces, with the rule for the value of each. */
interface TableRow {
  readonly keywords: string;
  readonly rule: Rule;
  /** The first draft in which the rule applies, by default 4. */
  readonly from?: SchemaDraft;
  /** The last draft in which the rule applies, by default 2020. */
  readonly to?: SchemaDraft;
}

const table: readonly TableRow[] = [
  { keywords: 'id', rule: checkText, to: 4 },
  { keywords: '$id', rule: checkText, from: 6, to: 7 },
  { keywords: '$id', rule: checkId, from: 2019 },
  { keywords: '$schema title description pattern', rule: checkText },
  { keywords: '$ref format', rule: checkText, from: 6 },
  { keywords: '$comment contentMediaType contentEncoding', rule: checkText, from: 7 },
  { keywords: '$anchor', rule: checkAnchor2019, from: 2019, to: 2019 },
  { keywords: '$anchor $dynamicAnchor $recursiveAnchor', rule: checkAnchor, from: 2020 },
  { keywords: '$dynamicRef', rule: checkText, from: 2020 },
  { keywords: '$recursiveRef', rule: checkText, from: 2019 },
  { keywords: '$recursiveAnchor', rule: checkFlag, from: 2019, to: 2019 },
  { keywords: '$vocabulary', rule: ruleForEach(checkFlag), from: 2019 },
  { keywords: 'type', rule: checkType },
  { keywords: 'enum', rule: checkEnum },
  { keywords: 'examples', rule: checkList, from: 6 },
  { keywords: 'multipleOf', rule: checkPositive },
  { keywords: 'minimum maximum', rule: checkNumber },
  { keywords: 'exclusiveMinimum', rule: ruleForFlagOf('minimum'), to: 4 },
  { keywords: 'exclusiveMaximum', rule: ruleForFlagOf('maximum'), to: 4 },
  { keywords: 'exclusiveMinimum exclusiveMaximum', rule: checkNumber, from: 6 },
  {
    keywords: 'minLength maxLength minItems maxItems minProperties maxProperties',
    rule: checkSize,
  },
  { keywords: 'minContains maxContains', rule: checkSize, from: 2019 },
  { keywords: 'uniqueItems', rule: checkFlag },
  { keywords: 'readOnly', rule: checkFlag, from: 7 },
  { keywords: 'writeOnly deprecated', rule: checkFlag, from: 2019 },
  { keywords: 'required', rule: checkRequired },
  { keywords: 'dependentRequired', rule: ruleForEach(checkNames), from: 2019 },
  { keywords: 'dependencies', rule: ruleForEach(checkSchemaOrNames) },
  { keywords: 'not', rule: checkSchema },
  { keywords: 'contains propertyNames', rule: checkSchema, from: 6 },
  { keywords: 'if then else', rule: checkSchema, from: 7 },
  {
    keywords: 'contentSchema unevaluatedItems unevaluatedProperties',
    rule: checkSchema,
    from: 2019,
  },
  { keywords: 'additionalProperties', rule: checkSchemaOrFlag },
  { keywords: 'additionalItems', rule: checkSchemaOrFlag, to: 2019 },
  { keywords: 'items', rule: checkSchemaOrSchemas, to: 2019 },
  { keywords: 'items', rule: checkSchema, from: 2020 },
  { keywords: 'allOf anyOf oneOf', rule: checkSchemas },
  { keywords: 'prefixItems', rule: checkSchemas, from: 2020 },
  { keywords: 'properties patternProperties definitions', rule: ruleForEach(checkSchema) },
  { keywords: '$defs dependentSchemas', rule: ruleForEach(checkSchema), from: 2019 },
];
