/** What sessions and the page offer to extensions, apart from hooks. Built in src/app/connect/extension-host.ts. */

import type { Conversation } from '../agent/conversation.ts';
import type { Providers } from '../agent/providers.ts';
import type { SessionHead } from '../spec/session.ts';
import type { ToolResult } from '../spec/result.ts';
import type { RegisteredTool } from '../spec/tool.ts';

/** A session as extensions use it. */
export interface HostConversation extends Pick<
  Conversation,
  | 'id'
  | 'state'
  | 'live'
  | 'send'
  | 'rename'
  | 'show'
  | 'setStepMode'
  | 'useModel'
  | 'replaceMessages'
  | 'prompt'
> {
  readonly selected: readonly string[];
  readonly background: Pick<Conversation['background'], 'running' | 'start' | 'cancel'>;
}

export interface HostSessions {
  /** Undefined unless the session is open in this page. */
  conversation(id: string): HostConversation | undefined;
  /** All sessions of this browser. */
  list(): readonly SessionHead[];
  /** Whether the session's folder is the open one. */
  hasFolderOf(head: SessionHead): boolean;
  /** Copies a session up to and including event `n`. @returns the id of the copy @throws {ToolError} */
  fork(id: string, n: number): Promise<string>;
  readonly providers: Pick<Providers, 'list' | 'sync'>;
}

/** An extension as others see it. */
export interface ListedExtension {
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly runtime: string;
  readonly file: string;
  readonly state: string;
  readonly registered: readonly {
    readonly kind: string;
    readonly name: string;
    readonly active: boolean;
  }[];
}

export interface ExtensionHost {
  /** Name of the open folder. */
  folder(): string;
  tools(): readonly RegisteredTool[];
  /** Null until a session has been used in this page. */
  sessions(): HostSessions | null;
  extensions(): readonly ListedExtension[];
  /**
   * Runs the message hooks of all extensions.
   * @returns what they add to the text @throws what a hook throws; {ToolError} if they run already
   */
  runMessageHooks(session: string, text: string): Promise<string>;
  /** Runs a tool like any other caller does. Never rejects. */
  call(signal: AbortSignal, tool: string, args: string, session: string): Promise<ToolResult>;
  /** Shows a session. */
  show(session: string): void;
  /** Resolves when no turn runs in the session. @throws {ToolError} if it is not open; the signal's reason */
  idle(signal: AbortSignal, session: string): Promise<void>;
}
