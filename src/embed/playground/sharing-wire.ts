/** The messages between playgrounds of a page that share Python. Both ends are frames of this app. */

import type { ToolCall } from '../../runtime/spec/call.ts';
import { ToolError, type ToolErrorCode } from '../../runtime/spec/error.ts';
import type { Inspection } from '../../runtime/spec/inspection.ts';
import type { Stream, ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';

/** A request of a frame to the one that has Python. */
export type Asked =
  | { readonly ask: 'ready' }
  | { readonly ask: 'inspect'; readonly files: readonly string[] }
  | {
      readonly ask: 'run' | 'check' | 'approval';
      readonly tool: RegisteredTool;
      readonly call: ToolCall;
    };

export interface SaidError {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly hint: string | undefined;
}

export type Answer =
  | { readonly step: 'report'; readonly report: Inspection | SaidError }
  | { readonly step: 'start' }
  | { readonly step: 'stream'; readonly stream: Stream }
  | { readonly step: 'done'; readonly value: ToolResult | boolean | null }
  | { readonly step: 'failed'; readonly error: SaidError };

/** `from` and `to` are ids of frames; `n` numbers the requests of one. */
export type Shared =
  | {
      readonly type: 'ask';
      readonly from: string;
      readonly to: string;
      readonly n: number;
      readonly asked: Asked;
    }
  | { readonly type: 'abort'; readonly from: string; readonly n: number }
  | { readonly type: 'leave'; readonly from: string }
  /** Whether the frame that has Python still is there. */
  | { readonly type: 'ping' }
  /** A frame wants to have Python. */
  | { readonly type: 'claim'; readonly from: string }
  /** A frame has Python; the answer to `ping` and `claim`. */
  | { readonly type: 'lent'; readonly from: string }
  /** The frame that had Python no longer shares it. */
  | { readonly type: 'gone' }
  | { readonly type: 'answer'; readonly to: string; readonly n: number; readonly answer: Answer };

export function saidError(thrown: unknown): SaidError {
  if (thrown instanceof ToolError) {
    const { code, message, hint } = thrown;
    return { code, message, hint };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'protocol', message, hint: undefined };
}

export function thrownOf({ code, message, hint }: SaidError): ToolError {
  return new ToolError(code, message, hint);
}
