import { expect, test } from 'vitest';
import { definitionWords, listRuledTools } from './tool-rules.ts';

test('tools that require approval or have a rule are listed, removed tools included', () => {
  expect(
    listRuledTools(
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
  ).toEqual(
    [
      { tool: 't:asked', rule: 'ask', spec: 'allow' },
      { tool: 't:decides', rule: null, spec: 'depends on the arguments' },
      { tool: 't:gone', rule: 'never', spec: 'allow' },
      { tool: 't:strict', rule: null, spec: 'ask each time' },
    ].map((row) => ({ ...row, name: row.tool, definition: null })),
  );
});

test('a rule for a tool of a server says whether it still applies, instead of a hash', () => {
  const [now, before] = ['0123456789abcdef', 'fedcba9876543210'];
  const at = new Date(2026, 10, 2, 14, 5).getTime();
  const rows = listRuledTools(
    [{ name: 'db:echo', permission: `db:echo (${now})`, requires_approval: true }],
    [
      { tool: `db:echo (${now})`, rule: 'always', at },
      { tool: `db:echo (${before})`, rule: 'never' },
    ],
  );
  expect(rows.map(({ name }) => name)).toEqual(['db:echo', 'db:echo']);
  const words = rows.flatMap((row) =>
    row.definition === null ? [] : [definitionWords(row, row.definition, false)],
  );
  expect(words).toEqual([
    'Definition unchanged since you allowed it on 2 November 2026, 14:05.',
    'This rule is for a definition that the server no longer lists, so it has no effect.',
  ]);
  const current = { isCurrent: true, at: null };
  expect(definitionWords({ rule: 'never' }, current, true)).toBe(
    'The server has changed the definition since you blocked it.',
  );
});
