/**
 * node bench/round-trip.mjs: measures an empty round trip on the path of a call, with workers that only answer. It is the
 * part of the row `call` that the sandbox itself needs, whatever code runs in it.
 */

import { createServer } from 'node:http';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchOptions } from '../scripts/browser.mjs';
import { quantile } from './measure.mjs';

const rounds = 15;
const count = 300;

/** The worker that tools would run in. */
const toolWorker = `onmessage = ({ data, ports }) => {
  const reply = (port) => (message) => port.postMessage(JSON.stringify(message.data));
  if (ports[0]) ports[0].onmessage = reply(ports[0]);
  else postMessage(JSON.stringify(data));
};`;

/** Between page and tool worker: answers itself, passes on, or hands over a port of the tool worker. */
const broker = `const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(toolWorker)}])));
onmessage = ({ ports: [alone, through, direct] }) => {
  alone.onmessage = ({ data }) => alone.postMessage(data);
  through.onmessage = ({ data }) => worker.postMessage(data);
  worker.onmessage = ({ data }) => through.postMessage(JSON.parse(data));
  worker.postMessage(null, [direct]);
};`;

const frame = `<!doctype html><script>onmessage = ({ ports }) => {
  new Worker(URL.createObjectURL(new Blob([${JSON.stringify(broker)}]))).postMessage(null, [...ports]);
}</script>`;

const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Wire</title>');
});
await new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(undefined)));
const address = /** @type {import('node:net').AddressInfo} */ (server.address());
const browser = await chromium.launch(launchOptions(await ensureBrowser()));
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${address.port}/`);
  const measured = await page.evaluate(measure, { frame, toolWorker, rounds, count });
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

/**
 * Runs in the page.
 * @param {{frame: string, toolWorker: string, rounds: number, count: number}} given
 * @returns {Promise<Record<string, number[]>>} milliseconds of a round trip, by way and round
 */
async function measure({ frame, toolWorker, rounds, count }) {
  const sandbox = document.createElement('iframe');
  sandbox.setAttribute('sandbox', 'allow-scripts');
  sandbox.srcdoc = frame;
  const loaded = new Promise((resolve) => sandbox.addEventListener('load', resolve));
  document.body.append(sandbox);
  await loaded;
  const channels = Array.from({ length: 3 }, () => new MessageChannel());
  sandbox.contentWindow?.postMessage(
    null,
    '*',
    channels.map(({ port2 }) => port2),
  );
  const [alone, through, direct] = channels.map(({ port1 }) => port1);
  if (!alone || !through || !direct) throw new Error('There are three channels.');
  const ways = {
    'worker of the page': new Worker(URL.createObjectURL(new Blob([toolWorker]))),
    'broker in the sandbox': alone,
    'broker, tool worker and back': through,
    'tool worker over a direct port': direct,
  };
  const message = {
    type: 'call',
    id: 1,
    tool: 'a:b',
    arguments: 'x'.repeat(100),
    context: 'y'.repeat(200),
  };
  /** @type {Record<string, number[]>} */
  const times = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [way, end] of Object.entries(ways)) {
      /** @type {() => void} */
      let answered = () => undefined;
      end.onmessage = () => answered();
      const from = performance.now();
      for (let n = 0; n < count; n += 1) {
        const answer = new Promise((resolve) => (answered = () => resolve(undefined)));
        end.postMessage(message);
        await answer;
      }
      (times[way] ??= []).push((performance.now() - from) / count);
    }
  return times;
}
