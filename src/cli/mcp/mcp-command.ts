/** `cloche mcp`: serves the tools of a folder to MCP clients, over standard input and output, or over HTTP. */

import { randomBytes } from 'node:crypto';
import { stdin, stdout } from 'node:process';
import type { Allowed } from '../../runtime/protocol/headless.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { BuiltApp } from '../app-site.ts';
import { untilAborted } from '../loopback.ts';
import { cacheFolder } from '../profile.ts';
import { buildOf, noteRefused, openIn, startPage, type Folders } from '../start-page.ts';
import type { PageApi } from '../driven-page.ts';
import { serveMcp } from './http.ts';
import { errorLine } from './message.ts';
import { lineWriter, readLines } from './json-lines.ts';
import { StdioSession, type StdioDeps } from './stdio-session.ts';
import { folderHash, openLists, type StoredLists } from './stored-lists.ts';

export interface McpRequest {
  readonly app: BuiltApp;
  readonly folders: Folders;
  readonly allowed: Allowed;
  /** Null to speak over standard input and output. */
  readonly port: number | null;
  readonly origins: readonly string[];
}

/** Milliseconds in which the first list of a folder is still stored when its client has gone. */
const firstListMs = 20_000;

/** Milliseconds in which the page says what it has refused. */
const refusedMs = 1_000;

/** @returns the exit code, when the client has gone or the signal aborts @throws {Error} */
export async function runMcp(
  signal: AbortSignal,
  { app, folders, allowed, port, origins }: McpRequest,
  note: (text: string) => void,
): Promise<number> {
  const over = new AbortController();
  const end = AbortSignal.any([signal, over.signal]);
  const gone = untilAborted(end);
  const token = tokenIn(process.env);
  let isOpen = false;
  const cache = cacheFolder(process.platform, process.env);
  const listsNow = async (): Promise<StoredLists> =>
    openLists(cache, await folderHash(folders.folder, await buildOf(app)));
  const lists = listsNow();
  // The start of a browser keeps the machine busy, so the stored list comes first.
  const started = lists.then(() => startPage(app, folders));
  const page = started.then(async (started): Promise<PageApi> => {
    const { page } = started;
    const open = async (): Promise<void> => {
      for (const { file, line, message } of await openIn(started, folders, allowed))
        note(`${file}:${line ?? ''} ${message}`);
    };
    // A folder that cannot be opened is served without tools, until its files are corrected.
    await Promise.all([
      open().catch((thrown: unknown) => {
        // If the client has left, the browser was closed while it opened the folder: this is no error.
        if (!end.aborted) note(errorText(thrown));
      }),
      page.ask('apiReady'),
    ]);
    isOpen = true;
    return page;
  });
  const failed = Promise.all([page, started.then(({ ended }) => ended)]).then(([, reason]) => {
    throw new Error(reason);
  });
  failed.catch(() => undefined);
  try {
    if (port === null)
      speak({ page, folder: folders.folder.name, lists, listsNow }, () => over.abort());
    else {
      const server = await serveMcp({ port, token, origins, note, page });
      const address = `http://127.0.0.1:${server.port}`;
      note(`MCP at ${address}/mcp with the header Authorization: Bearer ${token}`);
      note(`or, for clients without headers, at ${address}/${token}/mcp`);
      void gone.then(() => server.close());
    }
    await Promise.race([gone, failed]);
    return 0;
  } finally {
    // An open input would keep this program alive.
    if (port === null) stdin.destroy();
    await started.then(
      async ({ page, ended, close }) => {
        // A page that hangs does not answer.
        const late = new Promise((resolve) => setTimeout(resolve, refusedMs).unref());
        const noted = isOpen ? noteRefused(page, note) : undefined;
        await Promise.race([noted, ended, late]).catch(() => undefined);
        await close();
      },
      () => undefined,
    );
  }
}

/** @throws {Error} if the user's token can be guessed */
export function tokenIn({ CLOCHE_MCP_TOKEN: chosen }: NodeJS.ProcessEnv): string {
  // @mutant a token that can be guessed is not taken => never [src/cli/mcp/http.test.ts]
  if (chosen !== undefined && !/^[\w.~-]{24,}$/.test(chosen))
    throw new Error(
      'CLOCHE_MCP_TOKEN needs at least 24 letters, digits or any of - . _ ~: other programs of this machine can guess a shorter one.',
    );
  return chosen ?? randomBytes(24).toString('hex');
}

function speak(deps: Omit<StdioDeps, 'write'>, onEnd: () => void): void {
  const write = lineWriter(stdout, stdin);
  const session = new StdioSession({ ...deps, write });
  readLines(
    stdin,
    (line) => {
      if (line === null) void write(errorLine('', -32600, 'The message is too large.'));
      else session.receive(line);
    },
    () => {
      session.end();
      void deps.lists.then(async ({ isEmpty }) => {
        // A client that did not wait for the first list finds it at its next start.
        const late = new Promise((resolve) => setTimeout(resolve, firstListMs).unref());
        if (isEmpty) await Promise.race([session.listed, late]);
        onEnd();
      }, onEnd);
    },
  );
}
