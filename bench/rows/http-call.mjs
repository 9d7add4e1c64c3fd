/** `fetch` of `invoke` through the service worker, compared with our own call plus an empty service worker's echo. */

import { echoFiles, echoTool, writeFolder } from '../folders.mjs';
import { medians } from '../measure.mjs';
import { callOurs, openFolder, openOurs } from '../pages.mjs';

const args = JSON.stringify({ text: 'x'.repeat(88) });
const count = 100;
const rounds = 9;

/** @param {import('../row.mjs').Bench} bench */
export default async function httpCall({ newPage, sites }) {
  const ours = await newPage();
  const plain = await newPage();
  await openOurs(ours, sites.ours);
  await openFolder(ours, await writeFolder(`${sites.temporary}/http-call`, echoFiles()));
  await ours.evaluate(() => navigator.serviceWorker.ready);
  await plain.goto(sites.plain);
  await plain.evaluate(async () => {
    await navigator.serviceWorker.register('sw.js');
    while (!navigator.serviceWorker.controller) await new Promise((wake) => setTimeout(wake, 20));
  });
  /** @type {{http: number[], call: number[], echo: number[]}} */
  const means = { http: [], call: [], echo: [] };
  for (let round = 0; round < rounds; round += 1) {
    means.http.push(await post(ours, `api/tools/${echoTool}/invoke`, `{"arguments": ${args}}`));
    means.call.push((await callOurs(ours, { tool: echoTool, args, count })).mean);
    means.echo.push(await post(plain, 'echo', args));
  }
  const floor = means.call.map((call, round) => call + (means.echo[round] ?? NaN));
  return [{ name: 'http-call', unit: 'ms', ...medians(means.http, floor), target: 1.25 }];
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} address
 * @param {string} body
 * @returns {Promise<number>} milliseconds of one request on average
 */
export function post(page, address, body, requests = count) {
  return page.evaluate(async ([url, text, times]) => {
    const from = performance.now();
    for (let n = 0; n < times; n += 1) {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body: text });
      await response.json();
    }
    return (performance.now() - from) / times;
  }, /** @type {const} */ ([address, body, requests]));
}
