/** Serves the app, one folder of the user and perhaps a workspace to browsers on this machine. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveFolder } from '../../scripts/static-server.mjs';
import { errorText } from '../runtime/spec/error.ts';
import { defaultLimits } from '../runtime/spec/limits.ts';
import { addressOf, bytesOf, isLocalHost } from './loopback.ts';
import { codeOf, type ServedFolder } from './served-folder.ts';

export interface AppSite {
  /** Ends with a slash. */
  readonly url: string;
  readonly port: number;
  /** Path of the folder below {@link url}, which only this program knows. */
  readonly folderPath: string;
  /** Path of the workspace below {@link url}; null if there is none. */
  readonly workspacePath: string | null;
  /** The address that opens the folder in any browser. */
  readonly openUrl: string;
  close(): Promise<void>;
}

const binary = 'application/octet-stream';

/** The built app. */
export interface BuiltApp {
  readonly folder: string;
  /** A folder with the files of the app that other parts of the package share. */
  readonly more?: string | undefined;
}

/** The requests of a page about a folder, by method and the last part of the path. */
type Actions = Readonly<
  Record<string, (path: string, request: IncomingMessage) => Promise<string | Uint8Array>>
>;

/** @param port 0 picks a free one @throws {Error} if the port is in use */
export async function serveApp(
  app: BuiltApp,
  folder: ServedFolder,
  port: number,
  workspace: ServedFolder | null = null,
): Promise<AppSite> {
  const token = randomBytes(24).toString('hex');
  const folderPath = `folder-${token}/`;
  const workspacePath = workspace && `workspace-${token}/`;
  const served = new Map([[`/${folderPath}`, readingActions(folder)]]);
  if (workspace !== null)
    served.set(`/${workspacePath}`, { ...readingActions(workspace), ...writingActions(workspace) });
  const index = await readFile(join(app.folder, 'index.html'), 'utf8');
  const page = index.replace('<script', `<script src="./open-${token}.js"></script><script`);
  const driver = driverScript(folder.name, folderPath);

  /** @returns whether the request is answered here */
  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    // @mutant a page behind a name that leads to this machine gets nothing => never
    //   [src/cli/served-folder.test.ts]
    if (!isLocalHost(request.headers.host)) {
      send(response, 421, 'text/plain', 'Only localhost is served here.\n');
      return true;
    }
    const address = addressOf(request);
    if (address === null) {
      send(response, 400, 'text/plain', 'Only paths are served here.\n');
      return true;
    }
    // On the same machine, compressing takes longer than sending.
    delete request.headers['accept-encoding'];
    const { pathname, searchParams } = address;
    const { method = 'GET' } = request;
    const end = pathname.lastIndexOf('/') + 1;
    const action = served.get(pathname.slice(0, end))?.[`${method} ${pathname.slice(end)}`];
    if (action !== undefined)
      answerWith(response, () => action(searchParams.get('path') ?? '', request));
    else if (method !== 'GET') return false;
    else if (pathname === '/' && searchParams.get('open') === token)
      send(response, 200, 'text/html', page);
    else if (pathname === `/open-${token}.js`) send(response, 200, 'text/javascript', driver);
    else return false;
    return true;
  }

  const { url, close } = await serveFolder({ ...app, port, answer });
  return {
    url,
    port: Number(new URL(url).port),
    folderPath,
    workspacePath,
    openUrl: `${url}?open=${token}`,
    close,
  };
}

/** A script that runs before the app's own, and opens the folder: see `Driver` in runtime/protocol/headless.ts. */
function driverScript(name: string, path: string): string {
  const folder = JSON.stringify({ name, path });
  return `globalThis.clocheDriver = (headless) => headless.openFolder(${folder}, null, null);\n`;
}

function readingActions(folder: ServedFolder): Actions {
  return {
    'GET list': async (path) => JSON.stringify(await folder.list(path)),
    'GET file': (path) => folder.read(path),
  };
}

function writingActions(folder: ServedFolder): Actions {
  const withoutText = async (work: Promise<void>): Promise<string> => {
    await work;
    return '';
  };
  return {
    'PUT file': async (path, request) => {
      const bytes = await bytesOf(request, defaultLimits.fileBytes);
      if (bytes === null) throw new Error(`“${path}” is too large.`);
      return withoutText(folder.write(path, bytes));
    },
    'DELETE file': (path) => withoutText(folder.remove(path)),
    'PUT folder': (path) => withoutText(folder.makeFolder(path)),
    'DELETE folder': (path) => withoutText(folder.removeFolder(path)),
  };
}

function answerWith(response: ServerResponse, make: () => Promise<string | Uint8Array>): void {
  make().then(
    (body) => send(response, 200, typeof body === 'string' ? 'application/json' : binary, body),
    (thrown: unknown) =>
      send(response, codeOf(thrown) === 'ENOENT' ? 404 : 400, 'text/plain', errorText(thrown)),
  );
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Uint8Array,
): void {
  response
    .writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' })
    .end(body);
}
