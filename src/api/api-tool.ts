/** The JSON shape of a tool in the virtual API. */

import type { RegisteredTool, Tool } from '../spec/tool.ts';

export interface ApiTool extends Omit<Tool, 'source' | 'handler' | 'takesContext'> {
  readonly source: { readonly file: string; readonly line: number };
  /** SHA-256 of the tool file's bytes, hex. */
  readonly hash: string;
  /** `last-good`: the file on disk has an error, and calls run the version before it. */
  readonly state: RegisteredTool['state'];
}

/** Omits what changes between two scans of the same file, and what only Python uses. */
export function apiTool(tool: RegisteredTool): ApiTool {
  return {
    name: tool.name,
    label: tool.label,
    description: tool.description,
    parameters: tool.parameters,
    source: { file: tool.source.file, line: tool.source.line },
    timeout_s: tool.timeout_s,
    requires_approval: tool.requires_approval,
    concurrency_safe: tool.concurrency_safe,
    stateless: tool.stateless,
    background_safe: tool.background_safe,
    interrupt: tool.interrupt,
    deferred: tool.deferred,
    prompt_hint: tool.prompt_hint,
    prompt_guides: tool.prompt_guides,
    examples: tool.examples,
    returns: tool.returns,
    annotations: tool.annotations,
    hash: tool.hash,
    state: tool.state,
  };
}
