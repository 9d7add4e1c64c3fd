/** Types of the modules that the build makes (scripts/build); the page and the workers share them. */

/* eslint-disable @typescript-eslint/consistent-type-imports -- a module without a file cannot import one */

/** The script of the sandbox frame. */
declare module 'virtual:cloche/frame-boot' {
  export const source: string;
  /** SHA-256 of exactly `source`, in base64, as a policy spells it. */
  export const hash: string;
}

/** The script of the worker that fetches and checks files for the page. */
declare module 'virtual:cloche/file-fetcher' {
  export const source: string;
}

/** The script of the worker that sends requests of tools, for pages that start it from its text. */
declare module 'virtual:cloche/network-sender' {
  export const source: string;
}

/** The files that the app fetches, checks and hands into the sandbox. */
declare module 'virtual:cloche/sandbox-assets' {
  export interface SandboxAsset {
    readonly name:
      | 'broker'
      | 'toolWorker'
      | 'wasm'
      | 'stdlib'
      | 'lockfile'
      | 'loader'
      | 'stdlibRest'
      | 'stdlibSources';
    /** Relative to the app's base: `new URL(url, document.baseURI)`. */
    readonly url: string;
    /** Hash in hexadecimal. */
    readonly sha256: string;
    readonly bytes: number;
  }
  export const sandboxAssets: readonly SandboxAsset[];
}

/** Files for the installation of packages, which the page fetches when a folder declares some. */
declare module 'virtual:cloche/packages' {
  import type { HashedFile } from 'virtual:cloche/samples';
  /** A zip of the resolver's compiled modules. */
  export const resolver: HashedFile;
  /** The packages of Pyodide's lock file, as JSON. */
  export const distribution: HashedFile;
  /** Tags of the platform that wheels are made for, best first. */
  export const platforms: readonly string[];
  /** Version of Pyodide. */
  export const pyodideVersion: string;
  /** Wheels that are built into this site (public/wheels). */
  export const siteWheels: readonly {
    readonly filename: string;
    readonly url: string;
    readonly sha256: string;
    readonly metadata: string;
  }[];
}

/** The built-in samples. */
declare module 'virtual:cloche/samples' {
  /** A file that the page fetches itself. */
  export interface HashedFile {
    /** Relative to the app's base. */
    readonly url: string;
    /** Hash for `fetch`, which refuses any other content. */
    readonly integrity: string;
  }
  /** A JSON object: path → text. */
  export const samples: HashedFile;
}

/** Programs for ordinary Python: cloche_test.py runs saved tests, cloche_mcp.py serves the tools over MCP. */
declare module 'virtual:cloche/python-programs' {
  import type { HashedFile } from 'virtual:cloche/samples';
  export const programs: Readonly<Record<'cloche_test' | 'cloche_mcp', HashedFile>>;
}

/** One function for each schema of values from the sandbox (src/runtime/spec/schemas, scripts/build/validators.ts). */
declare module 'virtual:cloche/validators' {
  export interface Validator<T = unknown> {
    (value: unknown): value is T;
    /** Errors of the last value; `null` if there were none. */
    readonly errors?: readonly ValidatorError[] | null;
  }
  export interface ValidatorError {
    /** JSON pointer to the value at fault. */
    readonly instancePath: string;
    readonly schemaPath: string;
    readonly keyword: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly message?: string;
  }
  export const ask: Validator<import('./runtime/protocol/ask.ts').AskMessage>;
  export const inspection: Validator<import('./runtime/spec/tool.ts').Inspection>;
  export const pythonProposal: Validator<import('./runtime/spec/tool.ts').SpecProposal>;
  export const pythonResult: Validator<import('./runtime/protocol/frame.ts').PythonResult>;
  export const pythonStream: Validator<import('./runtime/spec/result.ts').Stream>;
  export const pythonWorkspace: Validator<import('./runtime/protocol/workspace.ts').EncodedReport>;
  export const resolution: Validator<import('./runtime/protocol/packages.ts').ResolveAnswer>;
}

/** Validators of values that only the page reads: from storage, other pages and files. */
declare module 'virtual:cloche/page-validators' {
  import type { Validator } from 'virtual:cloche/validators';
  export type { Validator };
  export const recording: Validator<import('./runtime/spec/recording.ts').Recording>;
  export const sessionDraft: Validator<import('./agent/session/log/draft.ts').DraftDelta>;
  export const sessionEvent: Validator<import('./runtime/spec/session.ts').SessionEvent>;
  export const sessionHead: Validator<import('./runtime/spec/session.ts').SessionHead>;
  export const tests: Validator;
  export const plan: Validator;
  export const evaluation: Validator;
}
