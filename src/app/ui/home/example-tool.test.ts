import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { exampleTool } from './example-tool.ts';

test('the README shows the same tool file as the welcome page', async () => {
  const readme = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8');
  expect(/```python\n([^]*?)```/.exec(readme)?.[1]).toBe(exampleTool);
});
