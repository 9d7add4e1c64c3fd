/** `test` for files whose tests leave the page unchanged; they share `page`. */

import { onSharedPage } from '../../support/shared-page.ts';
import { test as base } from './test.ts';

export { expect } from './test.ts';

export const test = onSharedPage(base);
