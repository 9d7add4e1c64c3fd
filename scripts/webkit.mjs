/**
 * Drives WebKitGTK's browser over WebDriver, for tests and benchmarks: neither Playwright nor Puppeteer can. Each
 * command is one request with JSON, so a client library would be larger than what is used of it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.mjs';

/** @typedef {Awaited<ReturnType<typeof startWebKit>>} WebKit */
/** @typedef {ReturnType<typeof commandsOf>} Commands */

/**
 * @typedef {object} StartOptions
 * @property {string} [proxy] host and port that requests to other machines go to
 * @property {'normal' | 'eager'} [pageLoad] eager: a navigation ends when the document is read
 * @property {Record<string, string>} [env] variables of the browser, beside those of this process
 */

/** The name under which the protocol sends a reference to an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';
const commandMs = 60_000;
const endMs = 3_000;

/**
 * Starts a browser without stored data, on a display of its own if Xvfb is installed.
 * @param {string} driver path of WebKitWebDriver
 * @param {StartOptions} [options]
 */
export function startWebKit(driver, options = {}) {
  // Now and then, the browser does not connect to its driver.
  return startOnce(driver, options).catch(() => startOnce(driver, options));
}

/**
 * Starts the display, the driver, and a session of the browser.
 * @param {string} driver
 * @param {StartOptions} options
 */
async function startOnce(driver, { proxy, pageLoad = 'normal', env = {} }) {
  const display = await startDisplay();
  const service = await startDriver(driver, { ...env, ...display?.env }).catch(
    (/** @type {unknown} */ thrown) => {
      display?.stop();
      throw thrown;
    },
  );
  const stop = () => {
    process.off('exit', stop);
    service.stop();
    display?.stop();
  };
  process.once('exit', stop);
  try {
    const proxied = { proxyType: 'manual', httpProxy: proxy, noProxy: ['localhost', '127.0.0.1'] };
    const wanted = {
      pageLoadStrategy: pageLoad,
      timeouts: { script: commandMs, pageLoad: commandMs },
      ...(proxy !== undefined && { proxy: proxied }),
    };
    const body = { capabilities: { alwaysMatch: wanted } };
    const started = fieldsOf(await send(service.url, 'POST', '/session', body));
    const session = `${service.url}/session/${textOf(started.sessionId)}`;
    const commands = commandsOf(session);
    return {
      /** Address of the session, for {@link commandsOf} in another process. */
      session,
      commands,
      version: `WebKitGTK ${textOf(fieldsOf(started.capabilities).browserVersion)}`,
      /** The process id of the driver, which has started the browser. */
      pid: service.pid,
      async close() {
        // A session does not end while a page answers no more.
        await Promise.race([commands.end().catch(() => undefined), delay(endMs)]);
        stop();
      },
    };
  } catch (thrown) {
    stop();
    throw thrown;
  }
}

/** The commands of a session that are used here, in the words of the protocol. @param {string} session */
export function commandsOf(session) {
  /** @type {(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>} */
  const command = (method, path, body) => send(session, method, path, body);
  return {
    end: () => command('DELETE', ''),
    /** @param {string} url */
    goto: (url) => command('POST', '/url', { url }),
    reload: () => command('POST', '/refresh', {}),
    /**
     * Runs the body of a function, whose last argument is to be called with its result. The page's policy does not
     * apply to it.
     * @param {string} script
     * @param {readonly unknown[]} args
     */
    script: (script, args) => command('POST', '/execute/async', { script, args }),
    /** Presses with the pointer, in the middle of what is visible. @param {object} element */
    click: (element) => command('POST', `/element/${idOf(element)}/click`, {}),
    /** Types into a field, or chooses files by their paths. @param {object} element @param {string} text */
    type: (element, text) => command('POST', `/element/${idOf(element)}/value`, { text }),
    /** @param {readonly {type: 'keyDown' | 'keyUp', value: string}[]} actions */
    keys: (actions) =>
      command('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] }),
    /** Chooses where the next commands go. @param {object | null} element of a frame; null: the page itself */
    frame: (element) => command('POST', '/frame', { id: element }),
    /** @returns {Promise<string>} the handle of another window, which is not chosen yet */
    newWindow: async () =>
      textOf(fieldsOf(await command('POST', '/window/new', { type: 'window' })).handle),
    /** @param {string} handle */
    chooseWindow: (handle) => command('POST', '/window', { handle }),
    /** @returns {Promise<string[]>} the handles of the others */
    closeWindow: async () => {
      const others = await command('DELETE', '/window');
      return Array.isArray(others) ? others.map(textOf) : [];
    },
    /** @param {number} width @param {number} height */
    resize: (width, height) => command('POST', '/window/rect', { x: 0, y: 0, width, height }),
    screenshot: async () => Buffer.from(textOf(await command('GET', '/screenshot')), 'base64'),
  };
}

/** @param {unknown} value @returns {Record<string, unknown>} */
function fieldsOf(value) {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** @param {unknown} value */
function textOf(value) {
  if (typeof value !== 'string') throw new Error('WebKitWebDriver did not answer with text.');
  return value;
}

/** @param {object} element */
function idOf(element) {
  return String(Reflect.get(element, elementKey));
}

/**
 * Starts a display, which WebKit needs even if no user looks at it.
 * @returns undefined if Xvfb does not start, but the environment names a display
 */
async function startDisplay() {
  const xvfb = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1400x4200x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const failed = new Promise((_resolve, reject) => {
    xvfb.once('error', reject);
    xvfb.once('exit', (code) => reject(new Error(`Xvfb ended with code ${code}.`)));
  });
  try {
    const said = once(/** @type {import('node:stream').Readable} */ (xvfb.stdio[3]), 'data');
    /** @type {unknown} */
    const number = await Promise.race([said, failed]);
    failed.catch(() => undefined);
    return { env: { DISPLAY: `:${String(number).trim()}` }, stop: () => xvfb.kill() };
  } catch (thrown) {
    if ((process.env.DISPLAY ?? '') !== '') return undefined;
    throw new Error(`WebKit needs a display, and Xvfb did not start.`, {
      cause: thrown,
    });
  }
}

/**
 * Starts the driver, and waits until it answers.
 * @param {string} path
 * @param {Record<string, string>} env
 */
async function startDriver(path, env) {
  const port = await freePort();
  const driver = spawn(path, [`--port=${port}`], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  await once(driver, 'spawn');
  const { pid = 0 } = driver;
  const stop = () => driver.kill();
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + commandMs;
  for (;;) {
    try {
      await send(url, 'GET', '/status');
      return { url, pid, stop };
    } catch (thrown) {
      if (driver.exitCode !== null || Date.now() > deadline) {
        stop();
        throw new Error(`${path} does not answer.`, { cause: thrown });
      }
      await delay(50);
    }
  }
}

/**
 * @param {string} base
 * @param {'GET' | 'POST' | 'DELETE'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<unknown>} what the command returned
 */
async function send(base, method, path, body) {
  const response = await fetch(base + path, {
    method,
    signal: AbortSignal.timeout(commandMs),
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = fieldsOf(await response.json());
  const { error, message } = fieldsOf(value);
  if (!response.ok) throw new Error(`${method} ${path}: ${String(error)}: ${String(message)}`);
  return value;
}
