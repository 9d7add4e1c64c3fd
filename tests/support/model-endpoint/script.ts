/** The answers that a test scripts, and the description of each provider's wire format. */

import type { IncomingHttpHeaders } from 'node:http';

export interface ScriptedCall {
  /** As the model says it: a wire name, or one that it made up. */
  readonly name: string;
  /** Streamed exactly so. */
  readonly arguments: string;
}

export interface ScriptedUsage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
  /** Anthropic's alone. */
  readonly cacheWrites?: number;
}

/** The error of a provider, in whose own shape it is sent. */
export interface WireError {
  readonly message: string;
  /** OpenAI's `type`, Anthropic's `error.type`, Google's `status`. */
  readonly type?: string;
  /** OpenAI's alone. */
  readonly code?: string;
}

export interface ScriptedAnswer {
  /** Written with spaces after colons, as Python servers do. */
  readonly spaced?: true;
  /** OpenRouter's, of chat completions: in pieces as given. */
  readonly reasoningDetails?: readonly (readonly object[])[];
  /** Google's, in chat completions: with the first call. */
  readonly thoughtSignature?: string;
  readonly reasoning?: string;
  /** The field of chat completions for it; `reasoning_content` by default. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: ScriptedUsage;
  /** Why it ends, where it does neither stop nor call. */
  readonly finish?: 'length' | 'filtered';
  /** Between two events; milliseconds. */
  readonly paceMs?: number;
  /** After so many events, nothing comes until the test has seen what it looks for. */
  readonly pause?: { readonly after: number; readonly until: Promise<void> };
  readonly trouble?: {
    /** Events that come before it. */
    readonly after: number;
    /** `cut`: the connection breaks; `end`: the stream ends as if it were done; `hang`: silence. */
    readonly kind: 'cut' | 'end' | 'hang' | 'garbage' | WireError;
  };
}

export interface ScriptedFault {
  readonly status: number;
  /** In the provider's own shape; one that fits the status where it is absent. */
  readonly error?: WireError;
  /** In place of that, exactly so. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `hang`: no answer at all; `hang-up`: the connection breaks before one. */
export type Scripted = ScriptedAnswer | ScriptedFault | 'hang' | 'hang-up';

export type FormatName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'google' | 'models';

/** Servers that speak chat completions with stricter rules. */
export type Manners = 'openai' | 'deepseek' | 'mistral';

/** A request as it was received; preflights are not among them. */
export interface ReceivedRequest {
  readonly format: FormatName;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body's text, to judge spellings by. */
  readonly text: string;
  /** The body as JSON; null if there is none. */
  readonly body: unknown;
  /** By which it is judged. */
  readonly manners: Manners;
}

export interface WireEvent {
  /** The `event:` line. */
  readonly event?: string;
  readonly data: unknown;
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly error: WireError;
}

export interface WireFormat {
  /** Judges as strictly as the real one. */
  refusal(request: ReceivedRequest): Refusal | undefined;
  /** The answer as the events that stream it, but for the end of the stream. */
  events(answer: ScriptedAnswer, request: ReceivedRequest): readonly WireEvent[];
  /** What an error in mid-stream looks like. */
  errorEvent(error: WireError): WireEvent;
  errorBody(status: number, error: WireError): unknown;
  readonly lineEnd: '\n' | '\r\n';
  /** What follows the last event, if anything. */
  readonly epilogue: string;
}

export const usualUsage: ScriptedUsage = { input: 100, cached: 40, output: 20, reasoning: 5 };

/** A text in pieces as a stream brings it; no character is torn apart. */
export function pieces(text: string): string[] {
  return text.match(/.{1,7}/gsu) ?? [];
}
