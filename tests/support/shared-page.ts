/** A page that the tests of one file share: Python starts once for all of them, not once for each. */

import type { Browser, Page } from '@playwright/test';
import { openFolder } from './app.ts';
import { makeFolder, type FolderFiles, type MadeFolder } from './make-folder.ts';
import { expect, test as base } from './test.ts';
import { Trouble } from './trouble.ts';

export { expect } from './test.ts';

export class SharedPage {
  readonly #browser: Browser;
  readonly #baseURL: string;
  readonly #folders: MadeFolder[] = [];
  #page: Page | undefined;
  #trouble: Trouble;

  constructor(browser: Browser, baseURL: string) {
    this.#browser = browser;
    this.#baseURL = baseURL;
    this.#trouble = new Trouble([]);
  }

  get page(): Page {
    if (!this.#page) throw new Error('Open the shared page in beforeAll.');
    return this.#page;
  }

  get trouble(): Trouble {
    return this.#trouble;
  }

  /** Opens the app anew, as a first visit, with a folder. What goes wrong here, the first test answers for. */
  async open(files: FolderFiles, name?: string): Promise<void> {
    await this.close();
    const context = await this.#browser.newContext({ baseURL: this.#baseURL });
    this.#trouble = new Trouble([new URL(this.#baseURL).origin]);
    this.#trouble.watch(context);
    this.#page = await context.newPage();
    await this.#page.goto('./');
    await this.openFolder(files, name);
  }

  /** Another folder in the same page. */
  async openFolder(files: FolderFiles, name?: string): Promise<MadeFolder> {
    const folder = await makeFolder({ files, ...(name === undefined ? {} : { name }) });
    this.#folders.push(folder);
    await openFolder(this.page, folder.path);
    return folder;
  }

  async close(): Promise<void> {
    await this.#page?.context().close();
    this.#page = undefined;
    await Promise.all(this.#folders.splice(0).map((folder) => folder.dispose()));
  }
}

/** `test` for files whose tests leave the page as they found it; `page` is the shared one. */
export const test = base.extend<object, { shared: SharedPage }>({
  shared: [
    async ({ browser }, use, { project }) => {
      const shared = new SharedPage(browser, project.use.baseURL ?? '');
      await use(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
  context: ({ shared }, use) => use(shared.page.context()),
  page: ({ shared }, use) => use(shared.page),
  // Automatic, as the one that it takes the place of.
  trouble: async ({ shared }, use) => {
    await use(shared.trouble);
    expect(shared.trouble.take(), 'what went wrong unseen').toEqual([]);
  },
});
