/** The error type that Cloche throws and shows: what happened, to which tool, and what to do next. */

export type ToolErrorCode =
  | 'aborted'
  | 'bad-input'
  | 'crashed'
  | 'flood'
  | 'integrity'
  | 'limit'
  | 'no-folder'
  | 'not-found'
  | 'not-selected'
  | 'not-supported'
  | 'protocol'
  | 'storage'
  | 'timeout';

export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly code: ToolErrorCode;
  readonly hint: string | undefined;

  constructor(code: ToolErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Any thrown value as one line of text. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
