/**
 * Turns off Zod's code generation. The SDKs validate with Zod, which tests whether it may use `eval`. The page's policy
 * forbids that, and Firefox reports each test as a violation.
 */

import { config } from 'zod/v4/core';

config({ jitless: true });
