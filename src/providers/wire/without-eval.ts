/**
 * The SDKs check what comes with Zod, which tries whether it may make code of text. The page's policy says no, and
 * Firefox tells of each try as of a breach.
 */

import { config } from 'zod/v4/core';

config({ jitless: true });
