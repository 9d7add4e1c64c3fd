/** An MCP server that another program runs and that speaks over its standard input and output. */

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { objectMembers } from '../../runtime/spec/json-reader.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import { readMessage } from './message.ts';
import { readLines } from './json-lines.ts';
import { windowsCommand } from './windows-command.ts';

interface Pending {
  /** The client's id, as JSON text. */
  readonly id: JsonText;
  readonly resolve: (line: string) => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds in which the program may end by itself when its input closes. */
const endMs = 2_000;
/** Bytes that the program, or a client, may have left unread when it is sent more. */
export const maxUnread = 16_000_000;
/** Maximum number of requests without an answer. Requests of clients that have left count, too. */
export const maxPending = 2_000;

const isWindows = process.platform === 'win32';

export class BridgedServer {
  /** Resolves when the program has ended. */
  readonly ended: Promise<void>;
  /**
   * The first listener receives what the server sends by itself. The streams of clients put themselves first, so that the
   * newest stream gets each message, and no message arrives twice.
   */
  readonly listeners: ((line: string) => void)[] = [];
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #pending = new Map<string, Pending>();
  #lastId = 0;

  constructor(command: readonly string[]) {
    const [name = '', ...given] = command;
    const { program, args, shell } = isWindows
      ? windowsCommand(command, { env: process.env, isFile: existsSync })
      : { program: name, args: given, shell: false };
    // A group of its own, so that what the program starts ends with it.
    const detached = !isWindows;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], shell, detached });
    // The types do not say that both pipes exist.
    const [input, output] = child.stdio as unknown as readonly [Writable, Readable];
    this.#child = child;
    this.#input = input;
    // Writing fails once the program has ended, which `ended` reports.
    input.on('error', () => undefined);
    this.ended = new Promise((resolve) => {
      const endWith = (reason: string): void => {
        for (const { reject } of this.#pending.values()) reject(new Error(reason));
        this.#pending.clear();
        resolve();
      };
      child.on('error', ({ message }) =>
        endWith(`${name} could not be started (${message}). Check the command after --.`),
      );
      child.on('exit', (code, signal) => endWith(`${name} has ended (${code ?? signal ?? ''}).`));
    });
    readLines(
      output,
      (line) => {
        if (line !== null) this.#receive(line);
      },
      () => undefined,
    );
  }

  /**
   * Sends a request.
   * @param signal cancels the request; null if only a message does
   * @returns its answer, with the client's id
   * @throws {Error} if the program ends, or does not read
   */
  request(signal: AbortSignal | null, text: string): Promise<string> {
    const members = objectMembers(text) ?? new Map<string, JsonText>();
    // Two clients may use the same id, so the server gets another one.
    const ownId = String((this.#lastId += 1));
    return new Promise((resolve, reject) => {
      // @mutant a program that does not read its input is not sent more => never
      //   [src/cli/mcp/bridge-command.test.ts]
      if (this.#isFull) throw new Error('The program does not read what it is sent.');
      // @mutant a program that does not answer is not asked more => never
      //   [src/cli/mcp/bridge-command.test.ts]
      if (this.#pending.size >= maxPending)
        throw new Error(
          `The program has not answered ${maxPending} requests. Start the bridge again.`,
        );
      signal?.addEventListener('abort', () => {
        if (!this.#pending.delete(ownId)) return;
        reject(new Error('The request was cancelled.'));
        this.#send(
          `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${ownId}}}`,
        );
      });
      this.#pending.set(ownId, { id: members.get('id') ?? 'null', resolve, reject });
      this.#send(withMember(members, 'id', ownId));
    });
  }

  /** Sends a notification, or the client's answer to a request of the server. */
  notify(text: string): void {
    if (this.#isFull) return;
    const members = objectMembers(text) ?? new Map<string, JsonText>();
    const params = objectMembers(members.get('params') ?? '{}');
    if (params === null || members.get('method') !== '"notifications/cancelled"') {
      this.#send(onOneLine(members));
      return;
    }
    // A cancelled request has another id on the server. If it has ended, the server need not know.
    const cancelledId = params.get('requestId');
    for (const [ownId, { id }] of this.#pending)
      if (id === cancelledId) {
        this.#send(withMember(members, 'params', withMember(params, 'requestId', ownId)));
        return;
      }
  }

  async close(): Promise<void> {
    this.#input.end();
    const kill = setTimeout(() => this.#kill(), endMs);
    await this.ended;
    clearTimeout(kill);
    // What the program has started may still run.
    this.#kill();
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (isWindows)
        spawn('taskkill', ['/pid', String(pid), '/t', '/f']).on('error', () => undefined);
      // A negative number names the whole group of processes.
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // All processes of the server have ended.
    }
  }

  get #isFull(): boolean {
    return this.#input.writableLength > maxUnread;
  }

  #send(line: string): void {
    this.#input.write(`${line}\n`);
  }

  #receive(line: string): void {
    const message = readMessage(line);
    if (message === null) return;
    if (message.type !== 'answer') {
      this.listeners[0]?.(line);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    const members = objectMembers(line);
    if (pending !== undefined && members !== null)
      pending.resolve(withMember(members, 'id', pending.id));
  }
}

/** An object's text on one line, with another value of a member. */
function withMember(
  members: ReadonlyMap<string, JsonText>,
  name: string,
  value: JsonText,
): JsonText {
  return onOneLine(new Map([...members, [name, value]]));
}

/** In JSON text, line ends occur only between tokens, never in strings. */
function onOneLine(members: ReadonlyMap<string, JsonText>): JsonText {
  const all = [...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`);
  return `{${all.join()}}`.replace(/[\r\n]+/g, ' ');
}
