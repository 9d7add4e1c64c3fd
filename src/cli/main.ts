/** The program `cloche`: docs/command-line.md. Results go to standard output, everything else to standard error. */

import { stdout } from 'node:process';
import { join } from 'node:path';
import { errorText } from '../runtime/spec/error.ts';
import type { BuiltApp } from './app-site.ts';
import { readEvalOptions, runEvals } from './eval-command.ts';
import { startBridge } from './mcp/bridge-command.ts';
import { openFolder, usualPort } from './open-command.ts';
import { runMcp } from './mcp/mcp-command.ts';
import {
  readAllowed,
  help,
  onePlace,
  originOf,
  readOptions,
  resultsFile,
  readWholeNumber,
  type Typed,
} from './options.ts';
import { untilAborted } from './loopback.ts';
import { ServedFolder } from './served-folder.ts';
import { noteRefused, openIn, startPage, type Folders } from './start-page.ts';
import { note, noteAtOnce, print, problemLine } from './terminal.ts';
import { runTests } from './test-command.ts';

const { env } = process;
/** In the package, the app shares files with the runtime, which are beside this one. */
const app: BuiltApp =
  env.CLOCHE_APP === undefined
    ? { folder: join(import.meta.dirname, 'app'), more: import.meta.dirname }
    : { folder: env.CLOCHE_APP };

/** @throws {Error} */
async function foldersOf(typed: Typed, place: string): Promise<Folders> {
  const workspace = typed.text('workspace');
  return {
    folder: await ServedFolder.at(place),
    workspace: workspace === undefined ? null : await ServedFolder.at(workspace),
  };
}

/** Starts the page with the folder, works with it, and ends it, also when the signal aborts. */
async function withPage(
  signal: AbortSignal,
  typed: Typed,
  place: string,
  work: (page: Awaited<ReturnType<typeof startPage>>['page']) => Promise<number>,
): Promise<number> {
  const allowed = readAllowed(typed, env);
  const folders = await foldersOf(typed, place);
  note('Starting the browser …');
  const started = await startPage(app, folders);
  const { page, ended, close } = started;
  const stopped = Promise.race([untilAborted(signal).then(() => 'Stopped.'), ended]).then(
    (reason): never => {
      throw new Error(reason);
    },
  );
  stopped.catch(() => undefined);
  try {
    const run = async (): Promise<number> => {
      note('Reading the folder …');
      const problems = await openIn(started, folders, allowed);
      for (const problem of problems) note(problemLine(problem));
      const code = await work(page);
      await noteRefused(page, note);
      return code;
    };
    return await Promise.race([run(), stopped]);
  } finally {
    await close();
  }
}

async function run(signal: AbortSignal, typed: Typed): Promise<number> {
  switch (typed.command) {
    case 'help':
      stdout.write(help);
      return 0;
    case 'version':
      print(__VERSION__);
      return 0;
    case 'open': {
      const folder = await ServedFolder.at(onePlace(typed));
      const port = readWholeNumber(typed, 'port', 0, 65_535);
      return openFolder(signal, { app, folder, port, browse: !typed.has('no-browser') }, print);
    }
    case 'test': {
      const place = onePlace(typed);
      const request = { only: typed.text('only') ?? '', json: await resultsFile(typed) };
      return withPage(signal, typed, place, (page) => runTests(page, request, print, note));
    }
    case 'eval': {
      const request = await readEvalOptions(typed, env);
      return withPage(signal, typed, request.folder, (page) =>
        runEvals(page, request, print, note),
      );
    }
    case 'mcp':
      return runMcp(
        signal,
        {
          app,
          folders: await foldersOf(typed, onePlace(typed)),
          allowed: readAllowed(typed, env),
          port: readWholeNumber(typed, 'http', 0, 65_535) ?? null,
          origins: typed.texts('allow-origin').map((text) => originOf('--allow-origin', text)),
        },
        note,
      );
    case 'bridge':
      return bridge(signal, typed);
  }
}

async function bridge(signal: AbortSignal, typed: Typed): Promise<number> {
  const command = typed.places;
  if (command.length === 0) throw new Error('Name the command: npx cloche bridge -- COMMAND.');
  const allowed = typed.texts('allow-origin').map((text) => originOf('--allow-origin', text));
  const { url, close } = await startBridge({
    command,
    port: readWholeNumber(typed, 'port', 0, 65_535) ?? 0,
    origins: allowed.length === 0 ? [`http://localhost:${usualPort}`] : allowed,
    note,
  });
  print(`${command.join(' ')} can be reached at ${url}\nPress Ctrl C to end.`);
  await untilAborted(signal);
  await close();
  return 0;
}

declare const __VERSION__: string;

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    // A second signal does not wait for the browser.
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  });
// Exit code 1 means that a test failed. Node uses it for uncaught errors too, so they are caught here.
process.on('uncaughtException', fail);
try {
  process.exitCode = await run(stop.signal, readOptions(process.argv.slice(2)));
} catch (thrown) {
  fail(thrown);
}
if (stop.signal.aborted) process.exitCode = 130;

function fail(thrown: unknown): void {
  noteAtOnce(errorText(thrown));
  process.exitCode = 2;
}
