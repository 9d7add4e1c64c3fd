/** Tests that each begin in a new session with a model. */

import { startModelEndpoint, type ModelEndpoint } from '../../support/model-endpoint.ts';
import * as session from '../../support/session-page.ts';
import { test } from './shared-page.ts';

/**
 * Registers what the tests of a file need: a model endpoint, a page high enough to lay everything out, and a new session for
 * each test.
 * @returns the endpoint, once the tests run
 */
export function beginInNewSessions(): () => ModelEndpoint {
  let endpoint: ModelEndpoint;
  test.beforeAll(async ({ shared }) => {
    endpoint = await startModelEndpoint();
    await session.openWithModels(shared, endpoint);
    // What is out of view is not laid out.
    await shared.page.setViewportSize({ width: 1280, height: 3_000 });
  });
  test.afterAll(() => endpoint.close());
  test.beforeEach(async ({ page, trouble }) => {
    session.expectModelRequests(trouble);
    endpoint.reset();
    await session.newSession(page, session.mine, /large/);
  });
  return () => endpoint;
}
