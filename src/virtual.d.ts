/** Types of the modules that the build makes (scripts/build); the page and the workers share them. */

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

/** The files that the app fetches, checks and hands into the sandbox. */
declare module 'virtual:cloche/sandbox-assets' {
  export interface SandboxAsset {
    readonly name:
      'broker' | 'toolWorker' | 'wasm' | 'stdlib' | 'timeZones' | 'lockfile' | 'loader';
    /** Relative to the app's base: `new URL(url, document.baseURI)`. */
    readonly url: string;
    /** In hexadecimal. */
    readonly sha256: string;
    readonly bytes: number;
  }
  export const sandboxAssets: readonly SandboxAsset[];
}

/** The built-in samples. */
declare module 'virtual:cloche/samples' {
  /** Of a JSON object (path → text), relative to the app's base. */
  export const samplesUrl: string;
}

/** One function for each of src/spec/schemas/*.schema.json, named for its file, and two for JSON Schema itself. */
declare module 'virtual:cloche/validators' {
  export interface Validator {
    (value: unknown): boolean;
    /** What was wrong with the last value; `null` if nothing was. */
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
  export const ask: Validator;
  export const inspection: Validator;
  export const pythonResult: Validator;
  export const pythonStream: Validator;
  export const pythonWorkspace: Validator;
  export const metaDraft07: Validator;
  export const metaDraft2020: Validator;
}
