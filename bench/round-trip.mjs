/**
 * node bench/round-trip.mjs: measures an empty round trip on the path of a call, with workers that only answer. It is the
 * part of the row `call` that the sandbox itself needs, whatever code runs in it.
 */

import { createServer } from 'node:http';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from '../scripts/browser.mjs';
import { quantile } from './measure.mjs';
import { openWire, roundTrip } from './bare-workers.mjs';

const rounds = 15;
const count = 300;

const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Wire</title>');
});
await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
const address = /** @type {import('node:net').AddressInfo} */ (server.address());
const browser = await chromium.launch(launchOptions(await ensureBrowser()));
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${address.port}/`);
  await openWire(page);
  const ways = await page.evaluate(() => [...globalThis.wire.keys()]);
  /** @type {Record<string, number[]>} */
  const measured = {};
  for (let round = 0; round < rounds; round += 1)
    for (const way of ways) (measured[way] ??= []).push(await roundTrip(page, way, count));
  console.table(
    Object.entries(measured).map(([way, times]) => ({
      way,
      'milliseconds of a round trip': Number(quantile(times).toFixed(4)),
      'lowest quarter': Number(quantile(times, 0.25).toFixed(4)),
    })),
  );
} finally {
  await browser.close();
  server.close();
}
