/** The functions of tests/support/app.ts, on the page instead of over the API. */

import type { Page } from '@playwright/test';
import { drop } from '../../../bench/drop.mjs';
import type { ToolResult } from '../../../src/runtime/spec/result.ts';
import { callHere } from '../../support/call-here.ts';
import { expect } from '../../support/expect.ts';

/** Drops a folder and waits until its tools are there. */
export async function openFolder(page: Page, path: string): Promise<void> {
  // The page may still load its parts, as in debug mode.
  await expect
    .poll(() => page.evaluate(() => 'cloche' in globalThis), { intervals: [20] })
    .toBe(true);
  const key = (): Promise<string> => page.evaluate(() => globalThis.cloche.status.get().folderKey);
  const before = await key();
  await drop(page, path);
  await expect.poll(key, { intervals: [20] }).not.toBe(before);
  await ready(page, path.split('/').at(-1) ?? '');
}

/** Waits until the tools of a folder are there. */
export async function ready(page: Page, folder: string): Promise<void> {
  const state = (): Promise<string> =>
    page.evaluate(() => {
      const { phase, folder: name } = globalThis.cloche.status.get();
      return `${phase} ${String(name)}`;
    });
  await expect.poll(state, { intervals: [20] }).toBe(`ready ${folder}`);
}

/** Reloads the page, in which Python does not start until it is let. @returns lets it */
export async function reloadWithoutPython(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    sessionStorage.setItem('holdPython', '');
  });
  await page.reload();
  return () =>
    page.evaluate(() => {
      sessionStorage.removeItem('holdPython');
    });
}

/** Calls a tool as a program does, not as the user. */
export async function invoke(
  page: Page,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<ToolResult> {
  const call = [tool, JSON.stringify(args), undefined] as const;
  return (await page.evaluate(callHere, call)).result;
}
