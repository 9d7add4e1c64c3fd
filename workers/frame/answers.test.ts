import { expect, test } from 'vitest';
import { toInspection } from './answers.ts';

const place = { file: 'a.py', line: 1, column: null };

function tool(parameters: unknown): Record<string, unknown> {
  return {
    name: 'a:f',
    label: 'F',
    description: 'Does it.',
    parameters,
    source: place,
    handler: { kind: 'function', name: 'f', file: 'a.py', line: 1 },
    takesContext: false,
    timeout_s: 60,
    requires_approval: false,
    concurrency_safe: false,
    stateless: false,
    background_safe: false,
    interrupt: 'cancel',
    deferred: false,
    prompt_hint: '',
    prompt_guides: [],
    examples: [],
    returns: null,
    annotations: {},
  };
}

function report(parameters: unknown): string {
  const tools = [tool(parameters)];
  return JSON.stringify({
    file: 'a.py',
    tools,
    problems: [],
    noSpecs: false,
    imports: [],
    output: '',
    durationMs: 1,
  });
}

test('each tool is packed as its own JSON text', () => {
  const parameters = { type: 'object', properties: { n: { type: 'integer', default: 1 } } };
  const packed = toInspection(report(parameters), 'a.py');
  expect(packed?.tools.map((text) => JSON.parse(text) as unknown)).toEqual([tool(parameters)]);
});

test('a report about another file is rejected', () => {
  expect(toInspection(report({}), 'b.py')).toBeNull();
});

// A forged report: the loader itself refuses such a tool.
test('a report with a tool of too many values is rejected', () => {
  const properties = (count: number): Record<string, unknown> => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, true])),
  });
  expect(toInspection(report(properties(59_000)), 'a.py')).not.toBeNull();
  expect(toInspection(report(properties(61_000)), 'a.py')).toBeNull();
});
