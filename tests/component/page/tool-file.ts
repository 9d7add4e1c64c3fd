/** Defines a fixture's tool file: its specs, and handlers in JavaScript instead of Python. */

import type { Problem } from '../../../src/runtime/spec/folder.ts';
import type { JsonObject } from '../../../src/runtime/spec/json.ts';
import type { HandlerKind, Tool } from '../../../src/runtime/spec/tool.ts';

/** What a handler can do besides returning a value; everything that waits rejects once the call is cancelled. */
export interface FakeCall {
  /** The text of the tool file that was called. */
  readonly source: string;
  /** Lives as long as the interpreter, as a module's variables do. */
  readonly memory: Map<string, unknown>;
  /** The copy of the workspace, by path; null where the call has none. */
  readonly files: Map<string, Uint8Array> | null;
  update(value: unknown): void;
  print(text: string): void;
  sleep(ms: number): Promise<void>;
  approve(question: string, details?: unknown): Promise<boolean>;
  /** @throws {PythonError} where the request is refused */
  fetch(url: string): Promise<number>;
  /** Calls a tool, as a program does. */
  call(tool: string, args: unknown): Promise<unknown>;
}

interface ArgumentTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  array: readonly unknown[];
  object: Readonly<Record<string, unknown>>;
}
type TypeName = keyof ArgumentTypes;
type Property = TypeName | (JsonObject & { readonly type: TypeName });
type TypeOf<P extends Property> = P extends TypeName
  ? ArgumentTypes[P]
  : P extends { readonly type: infer T extends TypeName }
    ? ArgumentTypes[T]
    : never;

export type Handler = (args: never, call: FakeCall) => unknown;

export interface FakeTool {
  readonly spec: Partial<Tool> & Pick<Tool, 'description' | 'parameters'>;
  readonly handler: Handler;
  /** A `function` hears of no cancel: its interpreter is ended. */
  readonly kind: HandlerKind;
  /** Where the spec has `requires_approval: 'callable'`. */
  readonly needsApproval?: (args: never) => boolean;
}

/** What the import of a file brings to light. */
export interface ToolFile {
  /** By the name of the handler; a function where they depend on the text. */
  readonly tools: Readonly<Record<string, FakeTool>>;
  readonly problems?: readonly Partial<Problem>[];
}

/** A tool whose arguments are all required, unless `more.parameters` says otherwise. */
export function tool<P extends Readonly<Record<string, Property>>>(
  description: string,
  properties: P,
  handler: (args: { readonly [K in keyof P]: TypeOf<P[K]> }, call: FakeCall) => unknown,
  more: Partial<Tool> & Partial<Pick<FakeTool, 'kind' | 'needsApproval'>> = {},
): FakeTool {
  const { kind = 'async', needsApproval, ...spec } = more;
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    typeof property === 'string' ? { type: property } : property,
  ]);
  return {
    spec: {
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(described) as JsonObject,
        required: Object.keys(properties),
      },
      ...spec,
    },
    handler,
    kind,
    ...(needsApproval === undefined ? {} : { needsApproval }),
  };
}

/** An exception of a handler. `at`: text of the line that raised it, in the tool file. */
export class PythonError extends Error {
  readonly type: string;
  readonly at: string | undefined;
  readonly libraries: readonly string[];

  /** @param libraries files of the frames below it that are not of the folder */
  constructor(type: string, message: string, at?: string, libraries: readonly string[] = []) {
    super(message);
    this.type = type;
    this.at = at;
    this.libraries = libraries;
  }
}

/** A result with the spelling that Python would give it. */
export class ExactJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What an object that shows itself becomes: see `display.py`. */
export class Formatted {
  readonly mediaType: 'text/html' | 'text/markdown';
  readonly text: string;

  constructor(mediaType: Formatted['mediaType'], text: string) {
    this.mediaType = mediaType;
    this.text = text;
  }
}
