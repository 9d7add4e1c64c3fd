/** `test` for the component layer: the real page without Python, without the built app, and without its API. */

import { SharedPage } from '../../support/one-page.ts';
import { test as base } from '../../support/test.ts';
import { openFolder } from './app.ts';

export { expect } from '../../support/test.ts';

export const test = base.extend({
  shared: [
    async ({ profile }, use, { project }) => {
      const shared = new SharedPage(profile, project.use.baseURL ?? '', openFolder);
      await use(shared);
      await shared.close();
    },
    { scope: 'worker' },
  ],
});
