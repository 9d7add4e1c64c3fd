/** Tools and inspections for tests. */

import type { Inspection, Tool } from '../spec/tool.ts';

/** Returns a tool of the file that its name implies, with every optional key at its default. */
export function fakeTool(name: string, overrides: Partial<Tool> = {}): Tool {
  const [stem = '', handler = ''] = name.split(':');
  return {
    name,
    label: name,
    description: `What ${handler} does.`,
    parameters: { type: 'object', properties: {} },
    source: { file: `${stem}.py`, line: 10, column: 5 },
    handler: { kind: 'function', name: handler, file: `${stem}.py`, line: 1 },
    takesContext: false,
    timeout_s: 60,
    requires_approval: false,
    concurrency_safe: true,
    stateless: false,
    background_safe: false,
    interrupt: 'cancel',
    deferred: false,
    prompt_hint: '',
    prompt_guides: [],
    examples: [],
    returns: null,
    annotations: {},
    ...overrides,
  };
}

/** Returns a successful inspection of a file. */
export function fakeInspection(file: string, overrides: Partial<Inspection> = {}): Inspection {
  return {
    file,
    tools: [],
    problems: [],
    noSpecs: false,
    imports: [],
    output: '',
    durationMs: 1,
    ...overrides,
  };
}
