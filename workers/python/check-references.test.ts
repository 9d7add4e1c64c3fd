/** References inside a schema are followed as ajv follows them, in every draft. */

import { Ajv, type Options } from 'ajv';
import Ajv04Module from 'ajv-draft-04';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/runtime/spec/json.ts';
import { ambiguous, referenceCases } from '../../src/runtime/spec/schema-references.fixture.ts';
import { schemaDraft } from '../../src/runtime/spec/schema-walk.ts';
import { ArgumentCheck } from './check-arguments.ts';

const options: Options = { strict: false, validateFormats: false, logger: false };
// Node returns the module's exports as its default export.
const Ajv04 = 'default' in Ajv04Module ? (Ajv04Module.default as typeof Ajv04Module) : Ajv04Module;

function byAjv(given: JsonObject): (value: JsonObject) => unknown {
  const schema = structuredClone(given);
  switch (schemaDraft(given)) {
    case 4:
      return new Ajv04(options).compile(schema);
    case 7:
      return new Ajv(options).compile(schema);
    case 2019:
      return new Ajv2019(options).compile(schema);
    default:
      return new Ajv2020(options).compile(schema);
  }
}

test.each(Object.entries(referenceCases))('%s', (_name, [given, values, standard]) => {
  const parameters: JsonObject = { type: 'object', ...given };
  const check = new ArgumentCheck();
  check.setSchema('t', JSON.stringify(parameters));
  const verdicts = values.map((value) => check.check('t', JSON.stringify(value)).length === 0);
  expect(verdicts).toEqual(standard ?? values.map(byAjv(parameters)));
  // A schema that accepts everything, or nothing, would prove nothing.
  expect(new Set(verdicts).size).toBe(2);
});

test('a dynamic reference with several targets is not checked, and the rest is', () => {
  const check = new ArgumentCheck();
  check.setSchema('t', JSON.stringify(ambiguous));
  expect(check.check('t', '{"n": ["x"], "w": [1]}')).toEqual([]);
  expect(check.check('t', '{"d": "x"}')).toHaveLength(1);
});
