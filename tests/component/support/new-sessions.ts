/** Tests that each begin in a new session with a model. */

import { startModelEndpoint, type ModelEndpoint } from '../../support/model-endpoint.ts';
import * as session from '../../support/session-page.ts';
import { test } from './shared-page.ts';

/**
 * Registers what the tests of a file need: a model endpoint, a page, and a new session for each test.
 * @param height of the page; what is out of view is not laid out, so by default it is high enough for everything
 * @returns the endpoint, once the tests run
 */
export function beginInNewSessions(height = 3_000): () => ModelEndpoint {
  let endpoint: ModelEndpoint;
  test.beforeAll(async ({ shared }) => {
    endpoint = await startModelEndpoint();
    await session.openWithModels(shared, endpoint);
    await shared.page.setViewportSize({ width: 1280, height });
  });
  test.afterAll(() => endpoint.close());
  test.beforeEach(async ({ page, trouble }) => {
    session.expectModelRequests(trouble);
    endpoint.reset();
    await session.newSession(page, session.mine, /large/);
  });
  return () => endpoint;
}
