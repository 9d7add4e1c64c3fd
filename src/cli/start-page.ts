/** Starts what a command needs: the server of the app, a browser, and the page with the folder. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Allowed } from '../runtime/protocol/headless.ts';
import type { Problem } from '../runtime/spec/folder.ts';
import { serveApp, type AppSite, type BuiltApp } from './app-site.ts';
import { Browser } from './browser.ts';
import { DrivenPage } from './driven-page.ts';
import { findBrowser, thisMachine } from './find-browser.ts';
import { cacheFolder, takeProfile } from './profile.ts';
import { codeOf, type ServedFolder } from './served-folder.ts';

export interface StartedPage extends Pick<AppSite, 'folderPath' | 'workspacePath'> {
  readonly page: DrivenPage;
  /** Resolves with the reason if the browser ends by itself. */
  readonly ended: Promise<string>;
  readonly close: () => Promise<void>;
}

export interface Folders {
  readonly folder: ServedFolder;
  readonly workspace: ServedFolder | null;
}

/** The id of a built app. @throws {Error} if it is not built */
export async function buildOf({ folder }: BuiltApp): Promise<string> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => '');
  const [, id] = /<meta name="cloche-build" content="([\da-f]+)"/.exec(page) ?? [];
  if (id === undefined) throw new Error(`${folder} has no built app.`);
  return id;
}

/** @throws {Error} if no browser is found, or it does not start */
export async function startPage(
  app: BuiltApp,
  { folder, workspace }: Folders,
): Promise<StartedPage> {
  const program = findBrowser(thisMachine);
  const cache = cacheFolder(process.platform, process.env);
  const profile = await takeProfile(cache, await buildOf(app));
  const serveOn = (port: number): Promise<AppSite> => serveApp(app, folder, port, workspace);
  const closers: (() => Promise<void>)[] = [() => profile.release()];
  const close = async (): Promise<void> => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    const site = await serveOn(profile.port).catch((thrown: unknown) => {
      if (codeOf(thrown) === 'EADDRINUSE') return serveOn(0);
      throw thrown;
    });
    closers.push(() => site.close());
    // The browser keeps what makes a start fast for the address of the app, so the next start uses the same port.
    if (site.port !== profile.port) await profile.keepPort(site.port);
    const browser = await Browser.start({
      program,
      profile: profile.folder,
      isRoot: process.getuid?.() === 0,
    });
    closers.push(() => browser.close());
    const page = await DrivenPage.open(browser, site.url);
    const { folderPath, workspacePath } = site;
    return { page, folderPath, workspacePath, ended: browser.ended, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Names what was refused. */
export async function noteRefused(
  page: Pick<DrivenPage, 'ask'>,
  note: (text: string) => void,
): Promise<void> {
  const refused = await page.ask('refused');
  for (const what of refused) note(`Refused, since no user can be asked: ${what}`);
  if (refused.length > 0) note('Options allow most of this; see npx cloche --help.');
}

/** Opens the folders in the page. @returns the errors of the folder @throws {Error} */
export function openIn(
  { page, folderPath, workspacePath }: StartedPage,
  { folder, workspace }: Folders,
  allowed: Allowed,
): Promise<readonly Problem[]> {
  const opened = { name: folder.name, path: folderPath };
  const lent =
    workspace === null || workspacePath === null
      ? null
      : { name: workspace.name, path: workspacePath };
  return page.ask('openFolder', opened, allowed, lent);
}
