/** One Chromium or Firefox for the tests of all files. It begins without Python, which servers do not need. */

import puppeteer from 'puppeteer-core';
import type { TestProject } from 'vitest/node';
import { findBrowser, launchOptions } from '../../scripts/browser.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';
import { shareBrowser } from '../support/shared-browser.ts';

const isFirefox = process.env.CLOCHE_TEST_BROWSER === 'firefox';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = findBrowser(isFirefox ? 'firefox' : 'chromium');
  if (executablePath === undefined) throw new Error('No browser found: see docs/development.md.');
  const server = await serveFolder({ folder: distFolder });
  const { args, chromiumSandbox } = launchOptions(executablePath);
  const browser = await puppeteer.launch(
    isFirefox
      ? { browser: 'firefox', executablePath }
      : { executablePath, args: [...args, ...(chromiumSandbox ? [] : ['--no-sandbox'])] },
  );
  return shareBrowser(project, browser, server, connect);
}

export function connect(browserWSEndpoint: string): ReturnType<typeof puppeteer.connect> {
  return puppeteer.connect({
    protocol: isFirefox ? 'webDriverBiDi' : 'cdp',
    browserWSEndpoint,
  });
}
