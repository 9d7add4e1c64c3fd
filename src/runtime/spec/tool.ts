/** A tool: a tool spec that passed validation. Keys are spelt as in the tool file. */

import type { JsonObject } from './json.ts';

export type HandlerKind = 'function' | 'async' | 'generator' | 'async-generator';

/** `callable`: the tool file decides for each call, in Python. */
export type Decision = boolean | 'callable';

export interface SourcePosition {
  /** Path relative to the tools folder. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based; null if unknown. */
  readonly column: number | null;
}

export interface Tool {
  /** `{module}:{function}`, the tool's id, unique in the folder. */
  readonly name: string;
  /** Name that the user sees; `name` if the file gives none. */
  readonly label: string;
  readonly description: string;
  /** JSON Schema of the arguments; its type is object. */
  readonly parameters: JsonObject;
  /** Position of the tool spec. */
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
  /** The framework of the file if its spec was inferred, and the modules that stand-ins replace. */
  readonly framework?: { readonly name: string; readonly standIns: readonly string[] };
}

export interface RegisteredTool extends Tool {
  /** SHA-256 of the tool file's bytes, hexadecimal. */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly loadedAt: number;
  /** `last-good`: the file was changed and has errors, so the tool still runs as it was loaded. */
  readonly state: 'ready' | 'last-good';
}
