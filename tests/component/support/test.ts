/** `test` for the component layer: the real page without Python, without the built app, and without its API. */

import type { BrowserContext } from '@playwright/test';
import { SharedPage } from '../../support/one-page.ts';
import { test as base } from '../../support/test.ts';
import { clearUserData, lastingContext } from '../../support/warm-profile.ts';
import { openFolder } from './app.ts';

export { expect } from '../../support/test.ts';

export const test = base.extend({
  // One context for all tests of a worker: to end one now and then ends the browser on a busy machine.
  profile: [
    async ({ browser }, use, { project }) => {
      let context: BrowserContext | undefined;
      await use({
        open: async () => {
          if (context) await clearUserData(context, './distribution.json');
          else context = await lastingContext(browser, project.use.baseURL ?? '');
          return context;
        },
      });
    },
    { scope: 'worker' },
  ],
  shared: [
    async ({ profile }, use, { project }) => {
      const shared = new SharedPage(profile, project.use.baseURL ?? '', openFolder);
      await use(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
});
