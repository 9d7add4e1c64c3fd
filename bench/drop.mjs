/**
 * Drops a real folder on a page with the browser's protocol, which is the only way to get a real directory handle.
 * Chromium grants reading; writing would show a prompt that cannot be answered here.
 */

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} folder absolute
 */
export async function drop(page, folder) {
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  try {
    for (const type of /** @type {const} */ (['dragEnter', 'dragOver', 'drop']))
      await client.send('Input.dispatchDragEvent', { type, x: 200, y: 200, data });
  } finally {
    await client.detach();
  }
}
