import { expect, test } from 'vitest';
import { ruledTools } from './tool-rules.ts';

test('tools that require approval or have a rule are listed, removed tools included', () => {
  expect(
    ruledTools(
      [
        { name: 't:plain', requires_approval: false },
        { name: 't:strict', requires_approval: true },
        { name: 't:decides', requires_approval: 'callable' },
        { name: 't:asked', requires_approval: false },
      ],
      [
        { tool: 't:asked', rule: 'ask' },
        { tool: 't:gone', rule: 'never' },
      ],
    ),
  ).toEqual([
    { tool: 't:asked', rule: 'ask', spec: 'allow' },
    { tool: 't:decides', rule: null, spec: 'depends on the arguments' },
    { tool: 't:gone', rule: 'never', spec: 'allow' },
    { tool: 't:strict', rule: null, spec: 'ask each time' },
  ]);
});
