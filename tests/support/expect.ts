/**
 * Wraps Playwright's `expect`, so that waiting costs less. Playwright describes the accessibility tree at each poll, on the
 * page's thread: a tenth of a second in a large page, which looks like a stall of the app.
 */

import { expect as plain, type ExpectMatcherState, type Locator } from '@playwright/test';

type Texts = string | RegExp | readonly (string | RegExp)[];
interface Options {
  readonly timeout?: number;
  readonly ignoreCase?: boolean;
}

export const expect = plain.extend({
  toBeVisible(locator: Locator, options: Options = {}) {
    return decide(this, options, locator, 'visible', (timeout) =>
      assertion(this, locator).toBeVisible({ timeout }),
    );
  },
  toContainText(locator: Locator, text: Texts, options: Options = {}) {
    return decide(this, options, withText(locator, text), 'attached', (timeout) =>
      assertion(this, locator).toContainText(text, { ...options, timeout }),
    );
  },
  toHaveText(locator: Locator, text: Texts, options: Options = {}) {
    return decide(this, options, withText(locator, text), 'attached', (timeout) =>
      assertion(this, locator).toHaveText(text, { ...options, timeout }),
    );
  },
});

function assertion({ isNot }: ExpectMatcherState, locator: Locator) {
  return isNot ? plain(locator).not : plain(locator);
}

/** Returns what must exist when the assertion holds; undefined where that is not certain. */
function withText(locator: Locator, text: Texts): Locator | undefined {
  if (typeof text === 'string') return locator.filter({ hasText: text });
  return text instanceof RegExp ? locator : undefined;
}

/** Waits for what the assertion needs, then runs Playwright's own assertion. */
async function decide(
  { isNot, timeout: usual }: ExpectMatcherState,
  { timeout = usual }: Options,
  needed: Locator | undefined,
  state: 'visible' | 'attached',
  assert: (timeout: number) => Promise<void>,
): Promise<{ pass: boolean; message: () => string }> {
  const end = performance.now() + timeout;
  // If the wait fails, the assertion below reports what is missing.
  if (!isNot) await needed?.waitFor({ state, timeout }).catch(() => undefined);
  // Playwright takes 0 for no limit.
  const left = Math.max(1, Math.round(end - performance.now()));
  try {
    await assert(left);
    return { pass: !isNot, message: () => '' };
  } catch (thrown) {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    const message = text.replace(`${left}ms`, `${timeout}ms`);
    return { pass: isNot, message: () => message };
  }
}
