/** All mutants. Each removes one guard that a user relies on. */
import { apiMutants } from './list-api.mjs';
import { extensionMutants } from './list-extensions.mjs';
import { fileMutants } from './list-files.mjs';
import { grantMutants } from './list-grants.mjs';
import { pageMutants } from './list-page.mjs';
import { planMutants } from './list-plans.mjs';
import { sandboxMutants } from './list-sandbox.mjs';
import { secretMutants } from './list-secrets.mjs';
import { sessionMutants } from './list-sessions.mjs';
import { siteMutants } from './list-sites.mjs';

/** @type {readonly import('./types.ts').Mutant[]} */
export const mutants = [
  ...sandboxMutants,
  ...grantMutants,
  ...secretMutants,
  ...extensionMutants,
  ...fileMutants,
  ...sessionMutants,
  ...apiMutants,
  ...pageMutants,
  ...siteMutants,
  ...planMutants,
];
