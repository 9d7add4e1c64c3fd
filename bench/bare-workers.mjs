/** An empty round trip on the path of a call: workers that only answer, in the same processes as those of a tool. */

/** The path that calls take: from the page through the broker to the tool worker, and back. */
export const callWay = 'broker, tool worker and back';

/** Stands for the tool worker. Answers each message with its JSON text, and so does a port that it is given. */
const toolWorker = `onmessage = ({ data, ports: [port] }) => {
  if (port) port.onmessage = (message) => port.postMessage(JSON.stringify(message.data));
  else postMessage(JSON.stringify(data));
};`;

/**
 * The worker between the page and the tool worker. It gets three ports from the page: it answers messages on the first itself,
 * passes those on the second on to the tool worker, and hands the third over to the tool worker.
 */
const broker = `const worker = new Worker(URL.createObjectURL(new Blob([${JSON.stringify(toolWorker)}])));
onmessage = ({ ports: [answered, passedOn, handedOver] }) => {
  answered.onmessage = ({ data }) => answered.postMessage(data);
  passedOn.onmessage = ({ data }) => worker.postMessage(data);
  worker.onmessage = ({ data }) => passedOn.postMessage(JSON.parse(data));
  worker.postMessage(null, [handedOver]);
};`;

/** The document of the sandboxed frame: starts the broker, and gives it the page's ports. */
const frame = `<!doctype html><script>onmessage = ({ ports }) => {
  new Worker(URL.createObjectURL(new Blob([${JSON.stringify(broker)}]))).postMessage(null, [...ports]);
}</script>`;

/**
 * Opens a sandboxed frame with the workers.
 * @param {import('@playwright/test').Page} page
 */
export async function openWire(page) {
  await page.evaluate(connect, { frame, toolWorker });
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} way a key of `globalThis.wire`
 * @param {number} count
 * @returns {Promise<number>} milliseconds of a round trip on average
 */
export function roundTrip(page, way, count) {
  return page.evaluate(async ([name, trips]) => {
    const end = globalThis.wire.get(name);
    if (!end) throw new Error(`There is no way ${name}.`);
    const message = {
      type: 'call',
      id: 1,
      tool: 'a:b',
      arguments: 'x'.repeat(100),
      context: 'y'.repeat(200),
    };
    /** @type {() => void} */
    let answered = () => undefined;
    end.onmessage = () => answered();
    const from = performance.now();
    for (let n = 0; n < trips; n += 1) {
      const answer = new Promise((resolve) => (answered = () => resolve(undefined)));
      end.postMessage(message);
      await answer;
    }
    return (performance.now() - from) / trips;
  }, /** @type {const} */ ([way, count]));
}

/**
 * Runs in the page.
 * @param {{frame: string, toolWorker: string}} given
 */
async function connect({ frame, toolWorker }) {
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
  const [answered, passedOn, handedOver] = channels.map(({ port1 }) => port1);
  if (!answered || !passedOn || !handedOver) throw new Error('There are three channels.');
  globalThis.wire = new Map(
    Object.entries({
      'worker of the page': new Worker(URL.createObjectURL(new Blob([toolWorker]))),
      'broker in the sandbox': answered,
      'broker, tool worker and back': passedOn,
      'tool worker over a direct port': handedOver,
    }),
  );
}
