/** The packages of Pyodide's distribution, from its lock file. */

import { expect, test } from 'vitest';
import { distributionWheels } from './packages.ts';

const numpy = {
  name: 'numpy',
  version: '2.3.1',
  file_name: 'numpy-2.3.1-cp314-cp314-pyemscripten_2026_0_wasm32.whl',
  sha256: 'ab',
  depends: ['libopenblas'],
  package_type: 'package',
};
const library = {
  name: 'libopenblas',
  version: '0.3.31',
  file_name: 'libopenblas-0.3.31.zip',
  sha256: 'cd',
  depends: [],
  package_type: 'shared_library',
};

function wheels(packages: unknown) {
  return distributionWheels(JSON.stringify({ packages }), '314.0.7');
}

test('lists wheels and shared libraries, with the distribution’s address', () => {
  const base = 'https://cdn.jsdelivr.net/pyodide/v314.0.7/full';
  expect(wheels({ numpy, libopenblas: library })).toEqual([
    {
      from: 'distribution',
      name: 'numpy',
      version: '2.3.1',
      filename: numpy.file_name,
      metadata: null,
      depends: ['libopenblas'],
      url: `${base}/${numpy.file_name}`,
      sha256: 'ab',
    },
    {
      from: 'distribution',
      name: 'libopenblas',
      version: '0.3.31',
      filename: library.file_name,
      metadata: null,
      depends: [],
      url: `${base}/${library.file_name}`,
      sha256: 'cd',
      tagless: true,
    },
  ]);
});

test('leaves out the tests of packages', () => {
  const tests = { ...numpy, name: 'numpy-tests', file_name: 'numpy-tests.zip' };
  expect(wheels({ tests })).toEqual([]);
});

test('leaves out incomplete entries', () => {
  for (const key of ['name', 'version', 'file_name', 'sha256'])
    expect(wheels({ numpy: { ...numpy, [key]: 1 }, none: null })).toEqual([]);
  expect(wheels({ numpy: { ...numpy, depends: ['a', 1, null] } })).toMatchObject([
    { depends: ['a'] },
  ]);
  expect(wheels({ numpy: { ...numpy, depends: 'a' } })).toMatchObject([{ depends: [] }]);
});

test('returns nothing for another format, and throws if it is not JSON', () => {
  expect([wheels(null), wheels('x'), distributionWheels('null', '1')]).toEqual([[], [], []]);
  expect(() => distributionWheels('{', '1')).toThrow();
});
