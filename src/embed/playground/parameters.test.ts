import { expect, test } from 'vitest';
import { readParameters } from './parameters.ts';

const read = (text: string, framed = true) => readParameters(`#${text}`, 'page', framed);

test('an address describes a playground', () => {
  const query = new URLSearchParams({
    source: 'x = 1',
    name: 'a.py',
    files: '{"b.py": "y = 2"}',
    tool: 'f',
    autorun: '',
    arguments: '{"a": 1.0}',
    view: 'json',
    theme: 'dark',
    accent: 'red',
    'label-run': 'Los',
    packages: 'numpy, attrs[dev,test]>=2',
  });
  expect(read(query.toString())).toEqual({
    page: 'page',
    files: [
      { path: 'a.py', text: 'x = 1' },
      { path: 'b.py', text: 'y = 2' },
    ],
    packages: ['numpy', 'attrs[dev,test]>=2'],
    tool: 'f',
    arguments: '{"a": 1.0}',
    view: 'json',
    autorun: true,
    readonly: false,
    recording: '',
    look: { scheme: 'dark', values: { accent: 'red' }, labels: { run: 'Los' } },
  });
});

test('a link that is opened by itself runs nothing by itself', () => {
  expect(read('source=x&autorun', false)).toMatchObject({ autorun: false });
  expect(read('source=x&autorun=false')).toMatchObject({ autorun: false });
  expect(read('source=x&autorun')).toMatchObject({ autorun: true });
});

test.each([
  ['view=wide', '“view” must be full, form, json or result.'],
  ['files=[', 'Its files cannot be read, are too long, or have duplicate names.'],
  ['files={"a.py": 1}', 'Its files cannot be read, are too long, or have duplicate names.'],
  [
    `source=${'x'.repeat(1_000_001)}`,
    'Its files cannot be read, are too long, or have duplicate names.',
  ],
  [`arguments=${'x'.repeat(200_001)}`, 'A part of it is too long.'],
])('an address that cannot be read says why: %.30s', (text, fault) => {
  expect(read(text)).toEqual({ fault });
});
