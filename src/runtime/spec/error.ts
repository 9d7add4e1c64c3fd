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

/** The refusal of what is not done in a frame of another origin. */
export function notInFrame(message: string): ToolError {
  return new ToolError('not-supported', message, 'Open Cloche in its own window.');
}

/** Any thrown value as one line of text. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns what to do about an error, if it says so. */
export function hintOf(thrown: unknown): string | undefined {
  return thrown instanceof ToolError ? thrown.hint : undefined;
}

/** Returns what happened, and what to do, as sentences. */
export function errorWithHint(thrown: unknown): string {
  const hint = hintOf(thrown);
  const text = errorText(thrown);
  return hint === undefined ? text : `${text.replace(/\.$/, '')}. ${hint}`;
}
