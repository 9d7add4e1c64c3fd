/** Makes definitions of what runs like a tool though no file declares it, such as functions of the loader. */

import type { RegisteredTool } from './tool.ts';

/** @param more what differs from a function that always may run, one call at a time */
export function plainTool(name: string, more: Partial<RegisteredTool> = {}): RegisteredTool {
  return {
    name,
    label: name,
    description: '',
    parameters: { type: 'object' },
    returns: null,
    annotations: {},
    source: { file: '', line: 1, column: null },
    handler: { kind: 'function', name, file: null, line: null },
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
    hash: '',
    loadedAt: 0,
    state: 'ready',
    ...more,
  };
}
