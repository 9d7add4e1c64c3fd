/** `test` for the component layer: the real page without Python, without the built app, and without its API. */

import { SharedPage } from '../../support/one-page.ts';
import { test as base } from '../../support/test.ts';
import { clearUserData } from '../../support/warm-profile.ts';
import { openFolder } from './app.ts';

export { expect } from '../../support/test.ts';

export const test = base.extend({
  // One context for all tests of a worker: to end one now and then ends the browser on a busy machine.
  profile: [
    async ({ browser }, use, { project }) => {
      const context = await browser.newContext({ baseURL: project.use.baseURL ?? '' });
      await use({
        open: async () => {
          await clearUserData(context, './distribution.json');
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
