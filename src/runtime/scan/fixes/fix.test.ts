/** Declaring a missing package in each form that a declaration has. */

import { expect, test } from 'vitest';
import type { Problem } from '../../spec/folder.ts';
import { applyFix, findMissingPackage, packageFix } from './fix.ts';

const problem: Problem = {
  severity: 'error',
  code: 'module-not-found',
  file: 'a.py',
  line: 1,
  column: 1,
  message: "no module named 'yaml' can be imported",
  expected: '',
  hint: 'Declare it at the top of this file: # /// script, # dependencies = ["PyYAML"], # ///',
};

function fixed(text: string, name = 'PyYAML'): string | null {
  const fix = packageFix(text, name);
  return fix && applyFix(text, fix);
}

test('the name comes from the hint of a missing module only', () => {
  expect(findMissingPackage(problem)).toBe('PyYAML');
  expect(findMissingPackage({ ...problem, code: 'needs-package' })).toBe('PyYAML');
  expect(findMissingPackage({ ...problem, code: 'import-raises' })).toBeNull();
  expect(findMissingPackage({ ...problem, hint: 'Look up the package’s name.' })).toBeNull();
  expect(findMissingPackage({ ...problem, hint: '# dependencies = ["a @ https://b"]' })).toBeNull();
});

test('a file without a declaration gets one, below its first lines', () => {
  const block = '# /// script\n# dependencies = [\n#   "PyYAML",\n# ]\n# ///\n\n';
  expect(fixed('import yaml\n')).toBe(`${block}import yaml\n`);
  expect(fixed('#!/usr/bin/python3\n# -*- coding: utf-8 -*-\nimport yaml\n')).toBe(
    `#!/usr/bin/python3\n# -*- coding: utf-8 -*-\n${block}import yaml\n`,
  );
});

test.each([
  ['# dependencies = []', '# dependencies = ["PyYAML"]'],
  ['# dependencies = ["attrs[x]>=2"]', '# dependencies = ["attrs[x]>=2", "PyYAML"]'],
  ['# dependencies = [\n#   "attrs",\n# ]', '# dependencies = [\n#   "attrs",\n#   "PyYAML",\n# ]'],
  ['# dependencies = [\n#   "attrs"\n# ]', '# dependencies = [\n#   "attrs",\n#   "PyYAML",\n# ]'],
  [
    '# dependencies = [\n#   "attrs"  # for classes\n# ]',
    '# dependencies = [\n#   "attrs",  # for classes\n#   "PyYAML",\n# ]',
  ],
  [
    '# dependencies = [\n#   "attrs", # not "pyyaml", yet\n# ]',
    '# dependencies = [\n#   "attrs", # not "pyyaml", yet\n#   "PyYAML",\n# ]',
  ],
  ['# requires-python = ">=3.11"', '# dependencies = ["PyYAML"]\n# requires-python = ">=3.11"'],
])('a declaration is extended: %j', (before, after) => {
  const text = (block: string): string => `# /// script\n${block}\n# ///\nimport yaml\n`;
  expect(fixed(text(before))).toBe(text(after));
});

test('a package that is declared, or a declaration that cannot be read, gets no fix', () => {
  const text = (block: string): string => `# /// script\n${block}\n# ///\n`;
  expect(fixed(text('# dependencies = ["py_yaml"]'), 'Py.YAML')).toBeNull();
  expect(fixed(text('# dependencies = other'))).toBeNull();
  expect(fixed('# /// script\n# dependencies = []\n')).toBeNull();
});
