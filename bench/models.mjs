/** A model for the rows that need one: the tests' endpoint on this machine, added as a user would. */

import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

/** @typedef {import('../tests/support/model-endpoint.ts').ModelEndpoint} ModelEndpoint */

/** The endpoint's name on the page, and its model. */
export const providerName = 'Mine';
export const modelName = 'large';

export const { startModelEndpoint } =
  /** @type {typeof import('../tests/support/model-endpoint.ts')} */ (
    await imported('model-endpoint.ts')
  );

/** What a user does with sessions. */
export const session = /** @type {typeof import('../tests/support/session-page.ts')} */ (
  await imported('session-page.ts')
);

/** Presses buttons that a guard may refuse. */
export const { press, runPlan } = /** @type {typeof import('../tests/support/press-until.ts')} */ (
  await imported('press-until.ts')
);

/**
 * Adds the endpoint on the settings page.
 * @param {import('@playwright/test').Page} page
 * @param {ModelEndpoint} endpoint
 */
export async function addModel(page, endpoint) {
  const url = `${endpoint.url}/v1`;
  await session.addProvider(page, { kind: 'openai-compatible', name: providerName, url });
}

/**
 * Imports a file of tests/support. Node 20 cannot read TypeScript. Vite sets the environment to development, in which nothing must be built.
 * @param {string} file
 * @returns {Promise<unknown>}
 */
export async function imported(file) {
  const path = fileURLToPath(new URL(`../tests/support/${file}`, import.meta.url));
  const { NODE_ENV } = process.env;
  const { module } = await /** @type {typeof runnerImport<unknown>} */ (runnerImport)(path, {
    configFile: false,
    logLevel: 'error',
  });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  return module;
}
