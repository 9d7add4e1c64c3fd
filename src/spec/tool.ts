/** A tool: a tool spec that passed validation. Keys are spelt as in the tool file. */

import type { JsonObject } from './json.ts';

export type HandlerKind = 'function' | 'async' | 'generator' | 'async-generator';

/** `callable`: the tool file decides for each call, in Python. */
export type Decision = boolean | 'callable';

export interface SourcePosition {
  /** Path inside the tools folder. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based; null where unknown. */
  readonly column: number | null;
}

export interface Tool {
  /** `{module}:{function}`, unique in the folder: the id everywhere inside. */
  readonly name: string;
  /** For people; the name where the file gives none. */
  readonly label: string;
  readonly description: string;
  /** JSON Schema of the arguments, of type object. */
  readonly parameters: JsonObject;
  /** Where the spec stands. */
  readonly source: SourcePosition;
  readonly handler: {
    readonly kind: HandlerKind;
    readonly name: string;
    readonly file: string | null;
    readonly line: number | null;
  };
  readonly takesContext: boolean;
  /** Seconds. */
  readonly timeout_s: number;
  readonly requires_approval: Decision;
  readonly concurrency_safe: Decision;
  readonly stateless: boolean;
  readonly background_safe: boolean;
  readonly interrupt: 'cancel' | 'block';
  readonly deferred: boolean;
  readonly prompt_hint: string;
  readonly prompt_guides: readonly string[];
  readonly examples: readonly JsonObject[];
  /** JSON Schema of the result. */
  readonly returns: JsonObject | null;
  /** MCP's hints: title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint. */
  readonly annotations: JsonObject;
}

/** What the registry holds of a tool. */
export interface RegisteredTool extends Tool {
  /** SHA-256 of the tool file's bytes, hex. */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly loadedAt: number;
  /** `last-good`: the file has changed since, but its tools cannot be used as it is now. */
  readonly state: 'ready' | 'last-good';
}
