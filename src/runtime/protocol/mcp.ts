/**
 * The wire between the page and a worker that speaks MCP. Each worker serves one server, so that none can delay another.
 * A worker's reports are bounded, but their texts are the server's, and must be shown as such.
 */

import type { JsonText } from '../spec/json.ts';
import type { ContentPart, LogLine, ToolResult } from '../spec/result.ts';

export type Header = readonly [name: string, value: string];

/** The server, and what gives access to it. */
export interface ServerAccess {
  /** The text that the user has entered. */
  readonly url: string;
  /** Headers that the user has entered, such as one with a key. */
  readonly headers: readonly Header[];
  /** Null unless the user has signed in. */
  readonly signedIn: SignedIn | null;
}

export interface SignedIn {
  /** Origins of the authorization server, which the user has confirmed. */
  readonly origins: readonly string[];
  /** Tokens, and what refreshes them. Only the worker reads it. */
  readonly state: JsonText;
  /** The parts of {@link state} that must not be shown. */
  readonly secrets: readonly string[];
}

export interface RefreshedSignIn {
  /** The state of the sign-in whose tokens were refreshed. */
  readonly before: JsonText;
  readonly signedIn: SignedIn;
}

export interface SignInRequest {
  readonly url: string;
  /** Origins that may be contacted, apart from the server's. */
  readonly origins: readonly string[];
  /** The address of the page that gets the response. */
  readonly redirectUrl: string;
  /** The address of the document that describes Cloche; null if there is none. */
  readonly clientUrl: string | null;
  /** The client that the user has registered; null to register one. */
  readonly client: { readonly id: string; readonly secret: string } | null;
  /** Ties the response to this sign-in. */
  readonly state: string;
}

/** `confirm`: the origin may be contacted once the user confirms it; `open`: the user signs in on that page. */
export type SignInStep =
  | { readonly step: 'confirm'; readonly origin: string }
  | { readonly step: 'open'; readonly url: string };

/** The parameters that the page of the authorization server has returned. */
export interface SignInCode {
  readonly code: string;
  readonly iss: string | null;
}

/** Marks secrets: the log of messages shows no member of either name, and masks `secrets` elsewhere. */
export interface Guarded<T> {
  readonly access: T;
  readonly secrets: readonly string[];
}

/**
 * Why something failed. `network`: no response that the page may read; `ended`: the same from a server that was connected;
 * `offline`, `mixed`, `permission`: the browser has sent nothing, since it is offline, since the page is loaded over https
 * and the address is not, or since the user has denied access to local addresses; `preflight`: pages may read the server, but not send it the headers of MCP;
 * `origin`: the server refuses the page's origin; `session`: the page may not read the session's id; `not-mcp`: another
 * kind of answer; `elsewhere`: a request to another origin, which was not sent; `lost`: the server no longer knows the session;
 * `refused`: the server answered with an error.
 */
export type McpCause =
  | 'network'
  | 'ended'
  | 'offline'
  | 'mixed'
  | 'permission'
  | 'preflight'
  | 'origin'
  | 'session'
  | 'not-mcp'
  | 'redirect'
  | 'elsewhere'
  | 'sign-in'
  | 'http'
  | 'lost'
  | 'refused'
  | 'timeout'
  | 'limit'
  | 'protocol';

/** An expected failure as plain data. */
export interface McpFault {
  readonly cause: McpCause;
  /** May quote the server. */
  readonly message: string;
  /** HTTP status; null if there was no response. */
  readonly status: number | null;
}

/** A server's description of itself; texts are cut. */
export interface ServerFacts {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  /** The revision of the protocol, such as `2026-07-28`. */
  readonly revision: string;
  /** `modern`: from 2026-07-28 on. */
  readonly era: 'modern' | 'legacy';
  /** Names of its capabilities, such as `tools` and `resources.subscribe`. */
  readonly capabilities: readonly string[];
  /** Time that connecting took. */
  readonly latencyMs: number;
  /** Breaches of the specification in its answers, in the terms of the specification. */
  readonly problems: readonly string[];
}

/** Stands for a key in a {@link TracedMessage}. */
export const hiddenValue = '(hidden)';

/** A request, an answer's head, or a message of an answer. Keys and tokens are masked. */
export interface TracedMessage {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The number of the request that it belongs to. */
  readonly exchange: number;
  readonly isSent: boolean;
  readonly method: string;
  readonly url: string;
  /** Null except in the head of an answer. */
  readonly status: number | null;
  readonly headers: readonly Header[];
  /** Cut if it is long. */
  readonly body: string;
  readonly bodyChars: number;
}

export interface Trace {
  readonly era: ServerFacts['era'] | null;
  readonly messages: readonly TracedMessage[];
  /** Number of older messages that are no longer kept. */
  readonly dropped: number;
}

/** A tool as a server defines it. */
export interface ListedDefinition {
  readonly name: string;
  /** The whole definition as JSON, whose keys are sorted. */
  readonly text: JsonText;
  /** SHA-256 of the server's address and {@link text}, hexadecimal. */
  readonly hash: string;
}

export interface ToolListing {
  readonly tools: readonly ListedDefinition[];
  /** Why definitions were left out. */
  readonly problems: readonly string[];
}

export interface ListedResource {
  /** The address, or a template with names in braces. */
  readonly uri: string;
  /** Names in the template; empty if it is none. */
  readonly variables: readonly string[];
  readonly name: string;
  readonly description: string;
}

export interface ListedPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

/** A server's offers apart from tools. */
export interface ServerOffers {
  /** Resources and templates of resources. */
  readonly resources: readonly ListedResource[];
  readonly prompts: readonly ListedPrompt[];
  /** Number of offers that were left out. */
  readonly dropped: number;
}

/** A message of a prompt that the user has filled in. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly part: ContentPart;
}

/** The field that the user is filling in. */
export interface Completing {
  /** The name of a prompt, or the template of a resource. */
  readonly of: { readonly prompt: string } | { readonly template: string };
  readonly field: string;
  readonly value: string;
  /** Values of the other fields. */
  readonly others: Readonly<Record<string, string>>;
}

/** A resource as parts that the user can attach to a message. */
export interface ReadResource {
  /** The address; that of a template contains the values of its variables. */
  readonly uri: string;
  readonly parts: readonly ContentPart[];
}

/** A part of a resource. `blob` is base64; one of `text` and `blob` is empty. */
export interface ResourceContent {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
  readonly blob: string;
  /** The server's metadata of the resource, as JSON. */
  readonly meta: JsonText;
}

/** A result in the terms of {@link ToolResult}. */
export interface McpOutcome extends Pick<ToolResult, 'content' | 'textResultForLlm' | 'isError'> {
  /** Whether the first part is structured content. */
  readonly isStructured: boolean;
  /** The server's metadata of the result, as a JSON object. */
  readonly metadata: JsonText;
}

export type Answer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: McpFault };

/** A call's progress since the last report; earlier progress in between is counted as `dropped`. */
export interface ProgressReport {
  readonly call: number;
  readonly json: JsonText;
  readonly dropped: number;
}

/** Lines that the server has logged during a call since the last report. */
export interface LogReport {
  readonly call: number;
  readonly lines: readonly LogLine[];
  /** Number of lines that were left out. */
  readonly dropped: number;
}

/** A question of a server to the user while it runs a call. */
export interface ServerAsk {
  readonly id: number;
  readonly call: number;
  readonly message: string;
  /** Schema of the answer as JSON, an object; null if the user is to open {@link url}. */
  readonly schema: JsonText | null;
  readonly url: string;
}

export interface AskAnswer {
  /** `cancel`: the user was not asked, or did not decide. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** A JSON object; null unless the user has filled in a form. */
  readonly content: JsonText | null;
}

/** The end of a call, with what was not reported before. */
export interface CallEnd {
  readonly answered: Answer<McpOutcome>;
  readonly progress: ProgressReport | null;
  readonly log: LogReport | null;
}

/** The reports of a server since the last time. */
export interface ServerReport {
  readonly progress: readonly ProgressReport[];
  readonly logs: readonly LogReport[];
  readonly asks: readonly ServerAsk[];
  /** Breaches of the specification in messages that were read nevertheless, in the terms of the specification. */
  readonly problems: readonly string[];
  /** The sign-ins of connections that have refreshed their tokens. */
  readonly refreshed: readonly RefreshedSignIn[];
  readonly toolsChanged: boolean;
  readonly offersChanged: boolean;
  /** Addresses of resources that have changed since they were read. */
  readonly changedResources: readonly string[];
  /** Whether a stream of the server has ended, and could not be opened again. */
  readonly closed: boolean;
}

/** The page chooses the ids of calls. Expected failures cross as data. */
export interface McpWorker {
  /** Connects, or connects again. */
  connect(request: Guarded<ServerAccess>): Promise<Answer<ServerFacts>>;
  /** Begins to sign in, or goes on once another origin is confirmed. */
  signIn(request: Guarded<SignInRequest>): Promise<Answer<SignInStep>>;
  finishSignIn(code: Guarded<SignInCode>): Promise<Answer<Guarded<SignedIn>>>;
  /** Ends the tokens of the connection at the authorization server, if it offers that. */
  revoke(): Promise<Answer<null>>;
  tools(): Promise<Answer<ToolListing>>;
  offers(): Promise<Answer<ServerOffers>>;
  /** Reads a resource as parts that the user attaches. @param values of the template's variables; null if it is none */
  read(uri: string, values: Readonly<Record<string, string>> | null): Promise<Answer<ReadResource>>;
  prompt(
    name: string,
    values: Readonly<Record<string, string>>,
  ): Promise<Answer<readonly PromptMessage[]>>;
  complete(asked: Completing): Promise<Answer<readonly string[]>>;
  /** @param args a JSON object @param ms deadline without progress, and in all */
  call(
    id: number,
    tool: string,
    args: JsonText,
    ms: { readonly idle: number; readonly total: number },
  ): Promise<CallEnd>;
  cancel(id: number): void;
  /** Answers what the server has asked. */
  reply(ask: number, answer: AskAnswer): void;
  /** Reads a resource as the server sends it, for an app. */
  resource(uri: string): Promise<Answer<readonly ResourceContent[]>>;
  /** The latest messages between the worker and the server. */
  trace(): Promise<Answer<Trace>>;
  /** Sends a request that only reads again, with a new id. @param n its number @returns the status of the answer */
  replay(n: number): Promise<Answer<number>>;
  /** Resolves when the server has reported something, or with nothing after some seconds. */
  next(): Promise<ServerReport>;
  /** Ends the session on the server. */
  close(): Promise<void>;
}

/** Requests that only read: they can be sent again without a question, and without an entry in the call log. */
export const readingMethods: ReadonlySet<string> = new Set([
  'completion/complete',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'server/discover',
  'tools/list',
]);

/** The beginning of each problem of signing in, in {@link ServerReport.problems}. */
export const signInProblem = 'Signing in: ';

/** After this time without a report, {@link McpWorker.next} resolves with nothing; milliseconds. */
export const reportMs = 20_000;
