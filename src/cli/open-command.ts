/** `cloche FOLDER`: serves the app, and opens it on the folder in the user's browser, until it is stopped. */

import { spawn } from 'node:child_process';
import { untilAborted } from './loopback.ts';
import { serveApp, type BuiltApp } from './app-site.ts';
import type { ServedFolder } from './served-folder.ts';

export interface OpenRequest {
  readonly app: BuiltApp;
  readonly folder: ServedFolder;
  /** Undefined for the usual one, or any other if that is in use. */
  readonly port: number | undefined;
  /** Whether to open a browser. */
  readonly browse: boolean;
}

/** The browser keeps sessions and settings by address, so the port is the same at each start. */
export const usualPort = 4747;

/** @returns the exit code, once it is stopped @throws {Error} if the port is in use */
export async function openFolder(
  signal: AbortSignal,
  { app, folder, port, browse }: OpenRequest,
  print: (text: string) => void,
): Promise<number> {
  const site = await serveApp(app, folder, port ?? usualPort).catch((thrown: unknown) => {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE'))
      throw thrown;
    if (port !== undefined) throw new Error(`Port ${port} is in use.`, { cause: thrown });
    return serveApp(app, folder, 0);
  });
  print(`${folder.name} is open at ${site.openUrl}\nPress Ctrl C to end.`);
  if (browse) showInBrowser(site.openUrl);
  await untilAborted(signal);
  await site.close();
  return 0;
}

function showInBrowser(url: string): void {
  const [program = '', ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', url]
        : ['xdg-open', url];
  const child = spawn(program, args, { stdio: 'ignore', detached: true });
  // Without such a program, the user opens the printed address.
  child.on('error', () => undefined);
  child.unref();
}
