/**
 * Themes and widths for the tests of screens: one column tests all screens, another one a journey in the other theme and
 * width. Those of `@full` test all screens in the rest.
 */

import type { Page } from '@playwright/test';

interface Column {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
  /** Every screen, or those of the journey alone. */
  readonly screens: 'all' | 'journey';
  readonly tag: readonly string[];
}

function column(
  colorScheme: Column['colorScheme'],
  width: number,
  screens: Column['screens'],
  ...tag: readonly string[]
): Column {
  return { colorScheme, width, screens, tag };
}

export const columns: readonly Column[] = [
  column('light', 1280, 'all'),
  column('dark', 390, 'journey'),
  column('dark', 1280, 'all', '@full'),
  column('light', 390, 'all', '@full'),
  column('dark', 390, 'all', '@full'),
  column('dark', 1920, 'all', '@full'),
];

export function titleOf({ colorScheme, width, screens }: Column): string {
  return `${screens === 'all' ? 'every screen' : 'a journey'}, ${colorScheme}, ${width} wide`;
}

/** Sets colours and width of the page. */
export async function look(page: Page, { colorScheme, width }: Column): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 800 });
}
