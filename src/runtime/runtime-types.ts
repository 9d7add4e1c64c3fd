/** Types of the runtime for other pages. */

import type {
  ApprovalQuestion,
  CallQuestion,
  NetworkQuestion,
  PackagesQuestion,
} from './grants/questions.ts';
import type { Limits } from './spec/limits.ts';
import type { Problem } from './spec/folder.ts';
import type { Stream, ToolResult, Update } from './spec/result.ts';
import type { RegisteredTool } from './spec/tool.ts';

/** A file of a tools folder. */
export interface RuntimeFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** A text is stored as UTF-8. */
  readonly content: string | Uint8Array;
}

/** Files of a tools folder: a list, or contents by path. */
export type RuntimeFiles = readonly RuntimeFile[] | Readonly<Record<string, string | Uint8Array>>;

/** Permissions of the folder's tools. Nothing is stored: a policy lasts as long as its runtime. */
export interface RuntimePolicy {
  /** Origins that tools may send requests to, such as `https://api.example.org`. By default none. */
  readonly network?: readonly string[];
  /** Whether origins of this computer and its networks may be granted too. By default not. */
  readonly localNetwork?: boolean;
  /** Whether Python packages that the folder declares may be downloaded from PyPI. By default {@link RuntimeOptions.onQuestion} is asked. */
  readonly packages?: 'allow' | 'deny';
}

/** A tool's question: a request to an origin, an approval, or the download of packages. */
export type RuntimeQuestion = NetworkQuestion | ApprovalQuestion | CallQuestion | PackagesQuestion;

/** `once`: for this call; `always`: as long as the runtime lasts; `no`: not now. */
export type RuntimeReply = 'once' | 'always' | 'no';

/** Progress of opening the folder. */
export interface RuntimeStatus {
  readonly phase: 'reading' | 'packages' | 'starting' | 'scanning' | 'ready' | 'failed' | 'none';
  /** Files done in this phase, and in total; 0 while unknown. */
  readonly done: number;
  readonly total: number;
  /** The current step of Python's start, such as `Loading Python: 3.1 of 10.2 MB`; empty once it runs. */
  readonly python: string;
}

export interface RuntimeOptions {
  /** The tools folder: a directory, files, or the address of a zip or of a Python file, which must allow this page to read it (CORS). */
  readonly folder: FileSystemDirectoryHandle | RuntimeFiles | URL | string;
  /** True if typed functions of files without tool specs are tools, too. By default, they are not. Only for files. */
  readonly functionsAreTools?: boolean;
  /** Where the package's folder `assets` is served, with a trailing slash. By default beside this module. */
  readonly assetsUrl?: URL | string;
  /** Limits that differ from the defaults; their units are in the type. */
  readonly limits?: Partial<Limits>;
  readonly policy?: RuntimePolicy;
  /** Answers what tools ask. Without it, every question is answered with `no`. */
  readonly onQuestion?: (question: RuntimeQuestion) => RuntimeReply | Promise<RuntimeReply>;
  /** Receives the progress of the opening. */
  readonly onStatus?: (status: RuntimeStatus) => void;
  /** Ends the opening. Once the runtime is open, it has no effect. */
  readonly signal?: AbortSignal;
}

export interface RuntimeCall {
  /** Called when Python begins to run the tool: after Python’s start, earlier calls and questions. */
  readonly onStart?: () => void;
  /** Receives each value that a generator yields. The last one is the result too. */
  readonly onUpdate?: (update: Update) => void;
  /** Receives what the call prints and logs. */
  readonly onOutput?: (output: Pick<Stream, 'out' | 'err' | 'log'>) => void;
  /** Calls with the same name share Python's state, apart from other sessions. By default all calls do. */
  readonly session?: string;
  /** Whether the user has just started this call, so that it needs no approval. */
  readonly approved?: boolean;
}

/** The origins that tools may send requests to. */
export interface RuntimeGrants {
  /** Granted origins. */
  readonly origins: readonly string[];
  /** @throws {ToolError} `bad-input` if it is not an origin that can be granted */
  allow(origin: string): void;
  /** Requests to it end, and the next one is a question again. */
  revoke(origin: string): void;
}

export interface Runtime {
  /** The tools of the folder, ordered by file and line. The list changes with the files. */
  readonly tools: readonly RegisteredTool[];
  /** The problems of the folder's files. */
  readonly problems: readonly Problem[];
  readonly grants: RuntimeGrants;
  /** Calls the listener after tools or problems have changed. @returns dispose */
  observe(listener: () => void): () => void;
  /**
   * Runs a tool to its end.
   * @param signal ends the call, whose result then has the error `cancelled`
   * @param tool `module:function`
   * @param argumentsText a JSON object, which Python gets exactly as written
   * @returns also failures of the tool, and refusals of arguments: {@link ToolResult.isError}
   * @throws {ToolError} `not-found` if there is no such tool, `no-folder` after {@link dispose}
   */
  call(
    signal: AbortSignal,
    tool: string,
    argumentsText: string,
    options?: RuntimeCall,
  ): Promise<ToolResult>;
  /**
   * Replaces the folder's files, and resolves when their tools are loaded. Without files, reads the directory again.
   * @throws {ToolError} `bad-input` for invalid files, `not-supported` for files in place of a directory or an address
   */
  update(files?: RuntimeFiles): Promise<void>;
  /** Ends a session's calls, and discards its Python state. */
  endSession(session: string): void;
  /** Ends all calls, and removes the sandbox from the page. */
  dispose(): void;
}
