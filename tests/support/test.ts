/** Playwright's `test` for this app: a test also fails by what went wrong unseen, and cleans up its folders. */
import { test as base } from '@playwright/test';
import { makeFolder, type FolderFiles, type MadeFolder } from './make-folder.ts';
import { Trouble } from './trouble.ts';

export { expect } from '@playwright/test';

interface Fixtures {
  /** Automatic: a console error or warning, a breach of policy or a request elsewhere fails the test. */
  trouble: Trouble;
  /** Makes a real folder on disk, and removes it after the test. */
  folder: (files: FolderFiles, name?: string) => Promise<MadeFolder>;
}

export const test = base.extend<Fixtures>({
  trouble: [
    async ({ context, baseURL }, use) => {
      const trouble = new Trouble(baseURL === undefined ? [] : [new URL(baseURL).origin]);
      trouble.watch(context);
      await use(trouble);
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
