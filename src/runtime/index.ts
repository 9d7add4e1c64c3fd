/** The door of the runtime for other pages: the npm entry `cloche/runtime`. */

import { hash } from 'virtual:cloche/frame-boot';

/** SHA-256 of the only inline script, that of the sandbox frame, in base64: for `script-src 'sha256-…'` of a page's policy. */
export const frameScriptHash: string = hash;

export { createRuntime } from './create-runtime.ts';
export type {
  Runtime,
  RuntimeCall,
  RuntimeFile,
  RuntimeFiles,
  RuntimeGrants,
  RuntimeOptions,
  RuntimePolicy,
  RuntimeQuestion,
  RuntimeReply,
  RuntimeStatus,
} from './runtime-types.ts';
export { ToolError, type ToolErrorCode } from './spec/error.ts';
export type { Limits } from './spec/limits.ts';
export type { Problem } from './spec/folder.ts';
export type { ContentPart, Stream, ToolResult, Update } from './spec/result.ts';
export type { RegisteredTool } from './spec/tool.ts';
