import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import { argumentHelp, withProperty } from './argument-help.ts';

const parameters: JsonObject = {
  type: 'object',
  properties: {
    unit: { type: 'string', enum: ['km', 'mi'], description: 'Unit of length' },
    exact: { type: ['boolean', 'null'], default: null },
    stops: { type: 'array', items: { $ref: '#/$defs/stop' } },
  },
  required: ['unit'],
  $defs: { stop: { type: 'object', properties: { name: { type: 'string' } } } },
};

function help(marked: string) {
  return argumentHelp(marked.replace('|', ''), marked.indexOf('|'), parameters);
}

test('the property at the caret is described, with its possible values', () => {
  expect(help('{"unit": "k|m"}')).toEqual({
    property: {
      name: 'unit',
      type: 'string',
      required: true,
      description: 'Unit of length',
      demands: ['one of "km", "mi"'],
    },
    values: ['"km"', '"mi"'],
    token: { start: 9, end: 13 },
    missing: ['exact', 'stops'],
  });
  expect(help('{"exact": nul|l}').values).toEqual(['null', 'true', 'false']);
});

test('nested properties are found through references and lists', () => {
  expect(help('{"stops": [{"name": "|"}]}').property).toMatchObject({
    name: 'stops[0].name',
    type: 'string',
  });
});

test('unknown properties have no description, and invalid text has no missing properties', () => {
  expect(help('{"other": 1|')).toEqual({
    property: null,
    values: [],
    token: { start: 10, end: 11 },
    missing: [],
  });
});

test('an inserted property has an initial value, and the rest of the text is unchanged', () => {
  expect(withProperty('{"unit": "km", "n": 1.0}', 'stops', parameters)).toEqual({
    text: '{"unit": "km", "n": 1.0,\n  "stops": []\n}',
    end: 38,
  });
  // The caret goes after the value, even if a line break follows the object.
  expect(withProperty('{}\n', 'unit', parameters)).toEqual({
    text: '{\n  "unit": "km"\n}\n',
    end: 16,
  });
  expect(withProperty('{"unit": ', 'exact', parameters)).toBeNull();
});
