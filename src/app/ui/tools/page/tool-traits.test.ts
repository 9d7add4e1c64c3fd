import { expect, test } from 'vitest';
import { sampleTool } from '../../../../../tests/support/ui-samples.ts';
import { toolTraits } from './tool-traits.ts';

test('a tool with only the required keys has no traits', () => {
  expect(toolTraits(sampleTool(), 60)).toEqual([]);
});

test('every key that differs from its default is a trait', () => {
  const tool = sampleTool({
    handler: { kind: 'async-generator', name: 'f', file: null, line: null },
    takesContext: true,
    timeout_s: 5,
    requires_approval: 'callable',
    concurrency_safe: 'callable',
    stateless: true,
    background_safe: true,
    interrupt: 'block',
    deferred: true,
    annotations: { readOnlyHint: true, destructiveHint: 'yes' },
  });
  expect(toolTraits(tool, 60).map((trait) => trait.words)).toEqual([
    'async, streams',
    'context',
    '5 s',
    'may require approval',
    'stateless',
    'one at a time',
    'background',
    'not interrupted',
    'deferred',
    'read-only',
  ]);
});
