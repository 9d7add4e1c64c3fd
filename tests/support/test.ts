/** Playwright's `test` for this app: a test also fails because of hidden errors, and removes its folders. */
import { test as base, type Browser, type BrowserContext } from '@playwright/test';
import { makeFolder, type FolderFiles, type MadeFolder } from './make-folder.ts';
import { SharedPage } from './one-page.ts';
import { Trouble } from './trouble.ts';
import { WarmProfile } from './warm-profile.ts';

export { expect } from './expect.ts';

interface Fixtures {
  /** Automatic: a console error or warning, a breach of policy or a request elsewhere fails the test. */
  trouble: Trouble;
  /** Makes a real folder on disk, and removes it after the test. */
  folder: (files: FolderFiles, name?: string) => Promise<MadeFolder>;
}

/** Where a test's pages live. */
export interface Profile {
  /**
   * Closes the pages of the test before.
   * @returns a context without any user data: the worker's warm one, or in the project `cold` a new one
   */
  open(): Promise<BrowserContext>;
}

export interface WorkerFixtures {
  /** `warm`: the app was visited before; `fresh`: it was not. Set by the project. */
  visits: 'warm' | 'fresh';
  profile: Profile;
  /** For files whose tests share a page. Here, so that all files can run in the same worker. */
  shared: SharedPage;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  visits: ['warm', { option: true, scope: 'worker' }],
  profile: [
    async ({ browser, playwright, visits }, use, { project }) => {
      const baseURL = project.use.baseURL ?? '';
      const warm = visits === 'warm' ? await WarmProfile.make(browser, baseURL) : null;
      let fresh: Browser | undefined;
      await use({
        open: async () => {
          if (warm !== null) {
            await warm.clear();
            return warm.context;
          }
          // A browser for each: Chromium crashes if a context is closed just after its page has begun to observe a folder.
          await fresh?.close();
          fresh = await playwright.chromium.launch(project.use.launchOptions);
          return fresh.newContext({ baseURL });
        },
      });
      await fresh?.close();
    },
    // The first visit, and the snapshot that the page makes when it is idle.
    { scope: 'worker', timeout: 300_000 },
  ],
  shared: [
    async ({ profile }, use, { project }) => {
      const shared = new SharedPage(profile, project.use.baseURL ?? '');
      await use(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ profile }, use) => {
    await use(await profile.open());
  },
  trouble: [
    async ({ context, baseURL }, use) => {
      const trouble = new Trouble(baseURL === undefined ? [] : [new URL(baseURL).origin]);
      const stop = trouble.watch(context);
      await use(trouble);
      stop();
      base.expect(trouble.take(), 'what went wrong unseen').toEqual([]);
    },
    { auto: true },
  ],
  folder: async ({}, use) => {
    const made: MadeFolder[] = [];
    await use(async (files, name) => {
      const folder = await makeFolder({ files, ...(name === undefined ? {} : { name }) });
      made.push(folder);
      return folder;
    });
    await Promise.all(made.map((folder) => folder.dispose()));
  },
});
