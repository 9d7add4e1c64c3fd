/** A user's steps to a result, run inside the page, so that the browser driver's time is not measured. */

const args = '{"text": "hello"}';

/**
 * Chooses the tool `echo` as soon as it is listed, and runs it.
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<number>} milliseconds from the navigation until the result can be seen
 */
export async function runEcho(page) {
  await page.evaluate(async (text) => {
    /** @type {<T extends 'a' | 'button' | 'textarea'>(tag: T, name: RegExp) => Promise<HTMLElementTagNameMap[T]>} */
    const shown = async (tag, name) => {
      for (;;) {
        for (const each of document.querySelectorAll(tag))
          if (name.test(each.getAttribute('aria-label') ?? each.textContent.trim())) return each;
        // No animation frames: requesting them would make the page draw.
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    (await shown('a', /^echo$/)).click();
    (await shown('button', /^JSON$/)).click();
    const editor = await shown('textarea', /^/);
    editor.value = text;
    editor.dispatchEvent(new Event('input', { bubbles: true }));
    (await shown('button', /^Run\b/)).click();
  }, args);
  return shownAt(page);
}

/**
 * Milliseconds from the navigation until the result can be seen.
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<number>}
 */
export function shownAt(page) {
  return page.evaluate(
    () =>
      new Promise((/** @type {(at: number) => void} */ resolve) => {
        const look = () => {
          const texts = [...document.querySelectorAll('pre, body')];
          const shown = texts.some(
            (each) =>
              each.textContent.includes('"text"') &&
              each.textContent.includes('hello') &&
              (each.tagName === 'PRE' || document.querySelector('textarea') === null),
          );
          if (shown) resolve(performance.now());
          else setTimeout(look, 10);
        };
        look();
      }),
  );
}
