/** Drops a real folder on the page, the one way to give a test a real directory handle. */
import type { Page } from '@playwright/test';

/** `path` is absolute. Chromium grants reading; writing would ask a question that nobody answers here. */
export async function drop(page: Page, path: string, { x = 200, y = 200 } = {}): Promise<void> {
  const client = await page.context().newCDPSession(page);
  try {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await client.send('Input.dispatchDragEvent', {
        type,
        x,
        y,
        data: { items: [], files: [path], dragOperationsMask: 1 },
      });
    }
  } finally {
    await client.detach();
  }
}
