/** `test` for files whose tests leave the page as they found it; `page` is the one that they share. */

import { onSharedPage } from '../../support/shared-page.ts';
import { test as base } from './test.ts';

export { expect } from './test.ts';

export const test = onSharedPage(base);
