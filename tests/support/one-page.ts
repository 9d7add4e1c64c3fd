/** A page shared by the tests of one file: Python starts once for all of them, not once for each. */

import type { Page } from '@playwright/test';
import { openFolder } from './app.ts';
import { makeFolder, type FolderFiles, type MadeFolder } from './make-folder.ts';
import type { Profile } from './test.ts';
import { Trouble } from './trouble.ts';

export class SharedPage {
  readonly #profile: Profile;
  readonly #baseURL: string;
  readonly openPath: (page: Page, path: string) => Promise<unknown>;
  readonly #folders: MadeFolder[] = [];
  #page: Page | undefined;
  #trouble: Trouble;
  #stopWatching = (): void => undefined;

  /** @param open opens a folder in the page, and waits for its tools */
  constructor(profile: Profile, baseURL: string, open: SharedPage['openPath'] = openFolder) {
    this.#profile = profile;
    this.#baseURL = baseURL;
    this.openPath = open;
    this.#trouble = new Trouble([]);
  }

  get page(): Page {
    if (!this.#page) throw new Error('Open the shared page in beforeAll.');
    return this.#page;
  }

  get trouble(): Trouble {
    return this.#trouble;
  }

  /** Opens the app with a folder and without user data. An error here fails the first test. */
  async open(files: FolderFiles, name?: string): Promise<void> {
    await this.close();
    const context = await this.#profile.open();
    this.#trouble = new Trouble([new URL(this.#baseURL).origin]);
    this.#stopWatching = this.#trouble.watch(context);
    this.#page = await context.newPage();
    await this.#page.goto('./');
    await this.openFolder(files, name);
  }

  /** Another folder in the same page. */
  async openFolder(files: FolderFiles, name?: string): Promise<MadeFolder> {
    const folder = await makeFolder({ files, ...(name === undefined ? {} : { name }) });
    this.#folders.push(folder);
    await this.openPath(this.page, folder.path);
    return folder;
  }

  async close(): Promise<void> {
    this.#stopWatching();
    this.#page = undefined;
    await Promise.all(this.#folders.splice(0).map((folder) => folder.dispose()));
  }
}
