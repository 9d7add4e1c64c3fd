/** `fetch` of `invoke` through the service worker, against our own call plus an empty service worker's echo. */

import { echoFiles, echoTool, writeFolder } from '../folders.mjs';
import { quantile } from '../measure.mjs';
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
  const medians = { http: [], call: [], echo: [] };
  for (let round = 0; round < rounds; round += 1) {
    medians.http.push(
      quantile(await post(ours, `api/tools/${echoTool}/invoke`, `{"arguments": ${args}}`)),
    );
    medians.call.push(quantile(await callOurs(ours, { tool: echoTool, args, count })));
    medians.echo.push(quantile(await post(plain, 'echo', args)));
  }
  const floor = quantile(medians.call) + quantile(medians.echo);
  return [{ name: 'http-call', unit: 'ms', ours: quantile(medians.http), floor, target: 1.3 }];
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} address
 * @param {string} body
 * @returns {Promise<number[]>} milliseconds of each request
 */
function post(page, address, body) {
  return page.evaluate(async ([url, text, requests]) => {
    const times = [];
    for (let n = 0; n < requests; n += 1) {
      const from = performance.now();
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body: text });
      await response.json();
      times.push(performance.now() - from);
    }
    return times;
  }, /** @type {const} */ ([address, body, count]));
}
