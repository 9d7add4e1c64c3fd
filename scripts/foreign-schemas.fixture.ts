/** Schemas as strangers write them: function-calling corpora, all drafts, OpenAPI, generators of several languages. */

import fc from 'fast-check';

/** A schema and a value, both as JSON text. */
export interface Foreign {
  readonly schema: string;
  readonly value: string;
  /** Whether the schema certainly allows the value. Otherwise the value just has to come out as it was entered. */
  readonly sure: boolean;
}

const json = JSON.stringify;
const sure = (schema: string, value: string): Foreign => ({ schema, value, sure: true });
const unsure = (schema: string, value: string): Foreign => ({ schema, value, sure: false });

const names = fc.oneof(
  fc.constantFrom(
    ...['a', 'b/c', 'm~n', 'x.y', '', ' ', '$ref', '0', '-1', '__proto__', 'constructor'],
    ...[
      'toString',
      'größe',
      '名前',
      'اسم',
      '🧪',
      'e\u0301',
      '\u202eabc',
      '\u0000',
      '\n',
      '"',
      '\\',
    ],
    ...['a'.repeat(300), '%2F', '#/x', '~1', '[0]', 'type', 'properties', '\ud800'],
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => json(value)),
  fc.constantFrom('12345678901234567890', '1.0', '-0', '1E+2', '"\\u0061"', '[]', '{}', 'null'),
);

/** What the root has in `$defs`. */
const definitions = [
  '"leaf": {"$anchor": "leaf", "type": "string"}',
  '"tree": {"$dynamicAnchor": "tree", "type": "object", "properties": {"data": true, "children": {"type": "array", "items": {"$dynamicRef": "#tree"}}}}',
  '"a/b%": {"type": "integer"}',
  '"base": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string", "format": "uuid"}}}',
  '"anything": true',
  '"loop": {"$ref": "#/$defs/loop"}',
  '"chain": {"allOf": [{"$ref": "#/$defs/chain"}, {"$ref": "#/$defs/leaf"}]}',
].join(', ');

const leaves: fc.Arbitrary<Foreign> = fc.oneof(
  anyValue.map((value) => sure('true', value)),
  anyValue.map((value) => sure('{}', value)),
  anyValue.map((value) => sure('{"$ref": "#/$defs/anything"}', value)),
  // References to nowhere, in circles, by name, and with percent encoding.
  fc
    .tuple(
      fc.constantFrom(
        ...['#/$defs/nowhere', 'https://schemas.test/pet.json#/x', '#nowhere', 'pet.json', ''],
        ...['#/$defs/loop', '#/$defs/chain', '#/properties/%', '#/allOf/9'],
      ),
      anyValue,
    )
    .map(([ref, value]) => unsure(`{"$ref": ${json(ref)}}`, value)),
  fc.string().map((text) => sure('{"$ref": "#leaf"}', json(text))),
  fc.constant(sure('{"$dynamicRef": "#tree"}', '{"data": 1.0, "children": [{"data": null}, {}]}')),
  fc.constant(sure('{"$ref": "#/$defs/a~1b%25"}', '7.0')),
  // Several types, with and without null.
  fc.constantFrom(
    sure('{"type": ["string", "null"]}', 'null'),
    sure('{"type": ["string", "null"]}', '"null"'),
    sure('{"type": ["null", "integer", "string"]}', '1e2'),
    sure('{"type": ["object", "array", "boolean"]}', '[1.0]'),
    sure('{"type": ["array", "string"], "items": {"type": "number"}}', '[-0]'),
    sure('{"type": ["number"]}', '0.10'),
    unsure('{"type": "string", "nullable": true}', 'null'),
    sure('{"type": "integer", "format": "int64"}', '9007199254740993'),
    sure('{"type": "number", "multipleOf": 0.01, "exclusiveMinimum": 0}', '19.99'),
    unsure('{"type": "integer", "minimum": 0, "exclusiveMinimum": true}', '3'),
    sure('{"minLength": 1}', '5'),
    sure('{"maximum": 3}', '"text"'),
  ),
  // Listed values.
  fc.constantFrom(
    sure('{"enum": [1, "1", 1.5, null, true, [1], {"a": 1}]}', '{"a": 1}'),
    sure('{"enum": [1, "1", 1.5, null, true, [1], {"a": 1}]}', '"1"'),
    sure('{"type": "number", "enum": [1.0, 2.50]}', '2.50'),
    sure('{"const": {"deep": [1, {"x": null}]}}', '{"deep": [1, {"x": null}]}'),
    sure('{"const": null}', 'null'),
    sure('{"enum": ["a", "a", "b"]}', '"b"'),
    unsure('{"enum": []}', '"x"'),
    sure(
      '{"oneOf": [{"const": 1, "title": "Low"}, {"const": 2, "title": "High", "description": "d"}]}',
      '2',
    ),
    sure('{"anyOf": [{"enum": ["auto", "none"]}, {"type": "string"}]}', '"other"'),
    sure('{"anyOf": [{"type": "string", "enum": ["s"]}, {"type": "null"}]}', 'null'),
    sure('{"type": ["string", "null"], "enum": ["s", null]}', 'null'),
    sure('{"type": "boolean", "enum": [true]}', 'true'),
  ),
  fc.integer({ min: 45, max: 1_500 }).map((count) => {
    const listed = Array.from({ length: count }, (_, index) => json(`value ${String(index)}`));
    return sure(`{"type": "string", "enum": [${listed.join(', ')}]}`, listed.at(-1) ?? '');
  }),
  // Formats, known and unknown.
  fc
    .constantFrom(
      ...['date', 'date-time', 'time', 'duration', 'uri', 'uuid', 'ipv4', 'byte', 'binary'],
      ...['password', 'color', 'regex', 'json-pointer', 'vendor:x', 'sha256', 'multiline', ''],
    )
    .map((format) => sure(`{"type": "string", "format": ${json(format)}}`, '"not checked"')),
  // What is no schema, which the scan refuses, but a form must not stumble over.
  fc
    .tuple(
      fc.constantFrom(
        ...['"type": "dict"', '"type": "any"', '"type": ["String"]', '"required": true'],
        ...['"properties": []', '"items": "string"', '"enum": "x"', '"anyOf": {}', '"allOf": "x"'],
        ...['"oneOf": [1, "a", null]', '"patternProperties": {"(": {}}', '"prefixItems": {}'],
        ...['"then": 1, "else": []', '"dependentSchemas": []', '"examples": {"a": {}}'],
        ...['"title": 5, "description": []', '"minItems": "2"', '"$ref": 7', '"const": "\\ud800"'],
      ),
      anyValue,
    )
    .map(([keyword, value]) => unsure(`{${keyword}}`, value)),
);

/** Vendor keywords, annotations of all kinds, and defaults that the schema does not allow. */
const annotations = fc.constantFrom(
  ...['', '"default": {"wrong": [1.0]}', '"default": null', '"default": [[]]', '"default": "none"'],
  ...['"examples": [3.0, {}]', '"example": {"a": 1.0}', '"x-order": 1', '"readOnly": true'],
  ...['"nullable": true', '"xml": {"wrapped": true}', '"deprecated": true', '"$comment": "c"'],
  ...['"title": "Address", "description": "Where"', '"externalDocs": {"url": "x"}'],
  ...['"x-enumNames": ["A"]', '"additionalItems": false', '"contentEncoding": "base64"'],
);

/** @param depth levels of nesting */
function foreign(depth: number): fc.Arbitrary<Foreign> {
  const inner = depth === 0 ? leaves : fc.oneof(leaves, ...composites(depth - 1));
  return fc.tuple(inner, annotations).map(([{ schema, ...rest }, extra]) => ({
    ...rest,
    schema: schema.startsWith('{"') && extra !== '' ? `{${extra}, ${schema.slice(1)}` : schema,
  }));
}

/** A schema for a tool's parameters, and arguments. */
export function foreignParameters(): fc.Arbitrary<Foreign> {
  const drafts = fc.constantFrom(
    ...['', 'http://json-schema.org/draft-04/schema#', 'http://json-schema.org/draft-07/schema#'],
    ...['https://json-schema.org/draft/2020-12/schema', 'https://vendor.test/schema'],
  );
  return fc
    .tuple(
      fc.oneof(members(2), conditional(2), inherited(2), tagged(2), map(2)),
      drafts,
      fc.constantFrom('plain', 'ref', 'anyOf', 'allOf'),
    )
    .map(([{ schema, value, sure: isSure }, draft, how]) => {
      const own = schema.slice(1, -1);
      const body = {
        plain: own,
        ref: '"$ref": "#/$defs/Args"',
        anyOf: `"anyOf": [${schema}, {"type": "object", "required": ["never there"]}]`,
        allOf: `"allOf": [${schema}]`,
      }[how];
      const type = how === 'plain' ? '' : ', "type": "object"';
      const dialect = draft === '' ? '' : `"$schema": ${json(draft)}, `;
      return {
        schema: `{${dialect}${body}${type}, "$defs": {${definitions}, "Args": ${schema}}}`,
        value,
        // Older drafts know fewer keywords, and ignore the neighbours of `$ref`.
        sure: isSure && !draft.includes('draft-0'),
      };
    });
}

function composites(depth: number): fc.Arbitrary<Foreign>[] {
  return [members, conditional, inherited, tagged, map, tuple, list, union, deep].map((make) =>
    make(depth),
  );
}

function members(depth: number): fc.Arbitrary<Foreign> {
  const member = fc.tuple(
    names,
    foreign(depth),
    fc.constantFrom('required', 'optional', 'absent', 'undeclared', 'only required'),
  );
  return fc
    .tuple(
      fc.uniqueArray(member, { maxLength: 6, selector: ([name]) => name }),
      fc.constantFrom('', ', "additionalProperties": true', ', "minProperties": 0'),
      fc.boolean(),
    )
    .map(([all, more, isTyped]) => {
      const declared = all.filter(([, , how]) => how !== 'undeclared' && how !== 'only required');
      const required = all.filter(([, , how]) => how.endsWith('required'));
      const present = all.filter(([, , how]) => how !== 'absent');
      const closed = more === '' && present.every((each) => declared.includes(each));
      return {
        schema: [
          `{"properties": {${declared.map(([name, { schema }]) => `${json(name)}: ${schema}`).join(', ')}}`,
          isTyped || declared.length === 0 ? ', "type": "object"' : '',
          `, "required": [${required.map(([name]) => json(name)).join(', ')}]`,
          closed ? ', "additionalProperties": false}' : `${more}}`,
        ].join(''),
        value: objectOf(present.map(([name, { value }]) => [name, value])),
        sure: present.every(([, { sure: isSure }]) => isSure),
      };
    });
}

/** `if`, `then`, `else`, and dependent schemas in the spelling of two drafts. */
function conditional(depth: number): fc.Arbitrary<Foreign> {
  return fc
    .tuple(foreign(depth), foreign(depth), fc.boolean(), fc.constantFrom('if', 'old', 'new'))
    .map(([yes, no, isMet, how]) => {
      const branch = `{"properties": {"extra": ${yes.schema}}, "required": ["extra"]}`;
      const other = `{"properties": {"other": ${no.schema}}}`;
      const condition =
        how === 'if'
          ? `"if": {"properties": {"kind": {"const": "yes"}}, "required": ["kind"]}, "then": ${branch}, "else": ${other}`
          : how === 'old'
            ? `"dependencies": {"kind": ${branch}, "extra": ["kind"]}`
            : `"dependentSchemas": {"kind": ${branch}}, "dependentRequired": {"extra": ["kind"]}`;
      const chosen = isMet ? yes : no;
      return {
        schema: `{"type": "object", "properties": {"kind": {"type": "string"}}, ${condition}}`,
        value: isMet
          ? objectOf([
              ['kind', '"yes"'],
              ['extra', yes.value],
            ])
          : objectOf([['other', no.value]]),
        sure: chosen.sure && (isMet || how === 'if'),
      };
    });
}

function inherited(depth: number): fc.Arbitrary<Foreign> {
  return fc.tuple(names, foreign(depth)).map(([name, { schema, value, sure: isSure }]) => ({
    schema: `{"allOf": [{"$ref": "#/$defs/base"}, {"type": "object", "properties": {${json(name)}: ${schema}}}], "description": "d"}`,
    value: objectOf([
      ['id', '"6f"'],
      [name, value],
    ]),
    sure: isSure,
  }));
}

/** OpenAPI's discriminator, with a mapping. */
function tagged(depth: number): fc.Arbitrary<Foreign> {
  const branch = fc.tuple(names, foreign(depth));
  return fc
    .tuple(
      fc.array(branch, { minLength: 2, maxLength: 4 }),
      fc.nat(),
      fc.constantFrom('const', 'enum'),
    )
    .map(([all, chosen, keyword]) => {
      const at = chosen % all.length;
      const tag = (index: number): string => json(`kind/${String(index)}`);
      const branches = all.map(([name, { schema }], index) => {
        const kind = keyword === 'const' ? tag(index) : `[${tag(index)}]`;
        return `{"type": "object", "required": ["kind"], "properties": {"kind": {"${keyword}": ${kind}}, ${json(name)}: ${schema}}}`;
      });
      const [name, own] = all[at] ?? ['', unsure('', 'null')];
      return {
        schema: `{"discriminator": {"propertyName": "kind", "mapping": {"kind/0": "#/x"}}, "oneOf": [${branches.join(', ')}]}`,
        value: objectOf([
          ['kind', tag(at)],
          [name, own.value],
        ]),
        sure: own.sure && name !== 'kind',
      };
    });
}

function map(depth: number): fc.Arbitrary<Foreign> {
  return fc
    .tuple(
      fc.uniqueArray(names, { maxLength: 4 }),
      foreign(depth),
      fc.constantFrom('additional', 'unevaluated', 'pattern', 'names'),
    )
    .map(([all, { schema, value, sure: isSure }, how]) => {
      const rest = {
        additional: `"additionalProperties": ${schema}`,
        unevaluated: `"properties": {}, "unevaluatedProperties": ${schema}`,
        pattern: `"patternProperties": {"": ${schema}}, "additionalProperties": false`,
        names: `"additionalProperties": ${schema}, "propertyNames": {"maxLength": 400}`,
      }[how];
      return {
        schema: `{"type": "object", ${rest}}`,
        value: objectOf(all.map((name) => [name, value])),
        sure: isSure && how !== 'unevaluated',
      };
    });
}

function tuple(depth: number): fc.Arbitrary<Foreign> {
  return fc
    .tuple(
      fc.array(foreign(depth), { minLength: 1, maxLength: 3 }),
      foreign(depth),
      fc.constantFrom('prefixItems', 'items'),
      fc.nat({ max: 2 }),
    )
    .map(([first, rest, keyword, more]) => {
      const others = keyword === 'prefixItems' ? 'items' : 'additionalItems';
      const values = [...first, ...Array.from({ length: more }, () => rest)];
      return {
        schema: `{"type": "array", "${keyword}": [${first.map(({ schema }) => schema).join(', ')}], "${others}": ${rest.schema}}`,
        value: `[${values.map(({ value }) => value).join(', ')}]`,
        // A list under `items` is not a schema in 2020-12.
        sure: values.every(({ sure: isSure }) => isSure) && keyword === 'prefixItems',
      };
    });
}

function list(depth: number): fc.Arbitrary<Foreign> {
  return fc
    .tuple(
      foreign(depth),
      fc.nat({ max: 3 }),
      fc.constantFrom('', ', "minItems": 1', ', "contains": {}'),
    )
    .map(([{ schema, value, sure: isSure }, count, more]) => ({
      schema: `{"items": ${schema}${more}}`,
      value: `[${Array.from({ length: count }, () => value).join(', ')}]`,
      sure: isSure && (count > 0 || more === ''),
    }));
}

/** Nullable twice over, as generators nest it, beside several other alternatives. */
function union(depth: number): fc.Arbitrary<Foreign> {
  return fc
    .tuple(
      fc.array(foreign(depth), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('nested', 'flat', 'single', 'null'),
    )
    .map(([all, how]) => {
      const { value, sure: isSure } = all.at(-1) ?? unsure('', 'null');
      const inner = all.map(({ schema }) => schema).join(', ');
      const flat = `{"anyOf": [${inner}, {"type": "null"}]}`;
      return {
        schema: {
          nested: `{"anyOf": [{"anyOf": [${flat}, {"type": "null"}]}, {"type": "null"}], "default": null}`,
          flat,
          single: `{"anyOf": [${all.at(-1)?.schema ?? ''}]}`,
          null: flat,
        }[how],
        value: how === 'null' ? 'null' : value,
        sure: isSure || how === 'null',
      };
    });
}

/** Deeper than a form nests its groups. */
function deep(depth: number): fc.Arbitrary<Foreign> {
  return fc
    .tuple(foreign(depth), fc.integer({ min: 10, max: 16 }))
    .map(([{ schema, value, sure: isSure }, levels]) => ({
      schema: `${'{"type": "object", "properties": {"in": '.repeat(levels)}${schema}${'}}'.repeat(levels)}`,
      value: `${'{"in": '.repeat(levels)}${value}${'}'.repeat(levels)}`,
      sure: isSure,
    }));
}

function objectOf(members: readonly (readonly [string, string])[]): string {
  return `{${[...new Map(members)].map(([name, value]) => `${json(name)}: ${value}`).join(', ')}}`;
}
