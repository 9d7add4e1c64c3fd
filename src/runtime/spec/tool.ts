/**
 * A tool, which is a tool spec that passed validation, with keys spelt as in the tool file; what the sandbox reports about
 * a file of tools; the names of built-in tools, and of permissions for tools of servers.
 */

import type { JsonObject, JsonText } from './json.ts';
import type { Problem } from './folder.ts';
import type { Setting } from './setting.ts';
import type { proposedTool, pythonProposal } from './schemas/sandbox.ts';
import type { Accepted } from './schemas/schema.ts';

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

/** An MCP App: a page that shows the results of a tool, in a closed frame. */
export interface ToolApp {
  /** Path of the page, relative to the tools folder. */
  readonly file: string;
  /** Origins that the page wants to send requests to, and those from which it wants to load scripts, styles and pictures. */
  readonly connectDomains: readonly string[];
  readonly resourceDomains: readonly string[];
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
  /** Whether the handler takes arguments that `parameters` does not declare; absent if it does not. */
  readonly takesMore?: true;
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
  readonly app?: ToolApp;
  /** The framework of the file if its spec was inferred, and the modules that stand-ins replace. */
  readonly framework?: { readonly name: string; readonly standIns: readonly string[] };
}

/** The server of a tool, which receives the arguments of its calls. */
export interface ToolServer {
  readonly id: string;
  /** The address, as the user has entered it; also the tool's file. */
  readonly url: string;
}

export interface RegisteredTool extends Tool {
  /** SHA-256 of the tool file's bytes, hexadecimal. */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly loadedAt: number;
  /** `last-good`: the file was changed and has errors, so the tool still runs as it was loaded. */
  readonly state: 'ready' | 'last-good';
  /** Absent if the tool is not a server's. */
  readonly server?: ToolServer;
  /** Who may call the tool beside the user, as its server says; absent if models and apps may. */
  readonly offeredTo?: readonly ('model' | 'app')[];
  /**
   * The name of the user's permissions for the tool, if it is not the tool's: for a server's tool it also names the
   * version of its definition, so that no permission outlasts a change.
   */
  readonly permission?: string;
}

// Built-in tools are only for models. Wire names of other tools contain `__` or end with a hash, so the built-in names cannot clash with them.
export const searchTool = 'tool_search';
export const readTool = 'read_result';
export const finish = 'finish';
export const runPython = 'run_python';

export const builtInNames: readonly string[] = [searchTool, readTool, finish, runPython];

export function isBuiltIn(wire: string): boolean {
  return builtInNames.includes(wire);
}

/** Hexadecimal digits of a definition's hash that are part of the name. */
const digits = 16;

/**
 * Returns the name of the user's permissions for a tool of a server, which end when the definition of the tool changes.
 *
 * @param hash of the definition, hexadecimal
 */
export function definitionPermission(tool: string, hash: string): string {
  return `${tool} (${hash.slice(0, digits)})`;
}

/** Returns the parts of such a name; null if it is that of a tool of a folder. */
export function parseDefinitionPermission(
  permission: string,
): { readonly tool: string; readonly definition: string } | null {
  const [, tool, definition] = /^(\S+) \(([0-9a-f]{16})\)$/.exec(permission) ?? [];
  return tool === undefined || definition === undefined ? null : { tool, definition };
}

/** What the sandbox reports about one tool file. */
export interface Inspection {
  readonly file: string;
  readonly tools: readonly Tool[];
  readonly problems: readonly Problem[];
  /** Whether the file defines no TOOL_SPECS, because it is a helper module or by mistake. */
  readonly noSpecs: boolean;
  /** Whether the file defines `register(app)`: it is an extension. */
  readonly extension?: true;
  /** Names of tools that the file does not mark as such: it may only export them to other files. */
  readonly implied?: readonly string[];
  /** The reason why a file has no tools, if the file shows one. */
  readonly reason?: {
    readonly line: number;
    readonly message: string;
    readonly hint: string;
    /** Whether the file lists functions of other files, which may be tools there. */
    readonly listsOthers?: true;
  };
  readonly settings?: readonly Setting[];
  /** Paths of the folder's files that its import loaded. */
  readonly imports: readonly string[];
  /** Start of what the import printed. */
  readonly output: string;
  readonly durationMs: number;
}

/** An inspection as it is sent to the page, which parses its tools one at a time: all at once would block it. */
export type PackedInspection = Omit<Inspection, 'tools'> & { readonly tools: readonly JsonText[] };

/** A function with the spec that Cloche would write for it. */
export type ProposedTool = Accepted<typeof proposedTool>;
export type SpecProposal = Accepted<typeof pythonProposal>;
