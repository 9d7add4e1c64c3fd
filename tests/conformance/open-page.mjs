/** The app, open on a folder in Chromium, as `api/mcp` needs it, and what reaches it: a relay for programs, and pages. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser, launchOptions } from '../../scripts/browser.mjs';
import { bundleScript } from '../../scripts/bundle-script.mjs';
import { distFolder } from '../../scripts/dist.mjs';
import { addTool } from './added-tool.mjs';

const clientsModule = join(import.meta.dirname, 'page-clients.mjs');

/** @typedef {Awaited<ReturnType<typeof openPage>>} OpenPage */

/**
 * @param {string} address that `cloche FOLDER` has printed
 * @param {string} tool that the folder has
 */
export async function openPage(address, tool) {
  const browser = await chromium.launch(launchOptions(findBrowser() ?? ''));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('link', { name: tool }).first().waitFor({ timeout: 120_000 });
  return { context, page, app: new URL('./', address).href, close: () => browser.close() };
}

/**
 * Serves programs at `/mcp`: a page of the app's origin sends what they send. What the browser would not give to the
 * service worker, because it comes from another origin or has the name of another host, goes to the server of the app.
 * @param {OpenPage} opened
 */
export async function startRelay({ context, app }) {
  const page = await context.newPage();
  await page.goto(`${app}license.txt`);
  /** @type {Map<number, (event: { status?: number, headers?: Record<string, string>, text?: string, failed?: boolean }) => void>} */
  const exchanges = new Map();
  await page.exposeFunction('relayed', (/** @type {number} */ id, /** @type {object} */ event) =>
    exchanges.get(id)?.(event),
  );
  await page.evaluate(() => {
    const stops = new Map();
    const here = /** @type {any} */ (globalThis);
    const { relayed } = here;
    here.relay = {
      stop: (/** @type {number} */ id) => stops.get(id)?.abort(),
      async send(/** @type {number} */ id, /** @type {RequestInit} */ asked) {
        const stop = new AbortController();
        stops.set(id, stop);
        try {
          const url = new URL('api/mcp', location.href);
          const { status, headers, body } = await fetch(url, { ...asked, signal: stop.signal });
          await relayed(id, { status, headers: Object.fromEntries(headers) });
          for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? [])
            await relayed(id, { text });
          await relayed(id, {});
        } catch {
          await relayed(id, { failed: true });
        } finally {
          stops.delete(id);
        }
      },
    };
  });
  let lastId = 0;
  const server = createServer((request, response) => {
    const pass = async () => {
      const { method = '', headers } = request;
      const pieces = [];
      for await (const piece of request) pieces.push(piece);
      const body = Buffer.concat(pieces);
      const { host = '', origin = `http://${host}` } = headers;
      if (!hosts.includes(host) || !hosts.some((one) => origin === `http://${one}`)) {
        const passed = send(`${app}api/mcp`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502);
          answer.pipe(response);
        });
        passed.on('error', () => response.destroy());
        passed.end(body);
        return;
      }
      const id = (lastId += 1);
      exchanges.set(id, ({ status, headers: given, text, failed = false }) => {
        if (status !== undefined) response.writeHead(status, given).flushHeaders();
        else if (text !== undefined) response.write(text);
        else {
          exchanges.delete(id);
          if (failed) response.destroy();
          else response.end();
        }
      });
      response.on('close', () => {
        // The page may have closed first.
        if (exchanges.has(id)) page.evaluate(`relay.stop(${id})`).catch(() => undefined);
      });
      const asked = { method, headers, ...(method === 'POST' && { body: body.toString() }) };
      // Not awaited, since the answer may be a stream without an end.
      await page.evaluate(`void relay.send(${id}, ${JSON.stringify(asked)})`);
    };
    // A client that leaves while it sends, or a page that has closed, must not end the run.
    pass().catch(() => response.destroy());
  });
  const port = await listening(server);
  const hosts = ['localhost', '127.0.0.1'].map((name) => `${name}:${port}`);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await ended(server);
      await page.close();
    },
  };
}

/**
 * The official clients in a page of the app's origin, and in one of another origin, which reaches the app through the
 * bridge and whose user is asked in the app.
 * @param {OpenPage} opened
 * @param {string} file of the folder, which may be written
 * @returns {Promise<string[]>} a line for each client
 */
export async function clientsInPages({ context, page, app }, file) {
  const script = `globalThis.__zod_globalConfig = { jitless: true };\n${await bundleScript(clientsModule)}`;
  await context.exposeFunction('addTool', (/** @type {string} */ name) => addTool(file, name));
  const own = await context.newPage();
  await own.goto(`${app}license.txt`);
  await own.evaluate(script);
  /** @type {string[]} */
  const inOwn = await own.evaluate("tourHere({ url: new URL('api/mcp', location.href) }, true)");
  await own.close();

  const client = await readFile(join(distFolder, 'cloche-client.js'));
  const site = createServer(({ url }, response) => {
    const isScript = url === '/cloche-client.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? client : '<!doctype html><title>Other</title><body>');
  });
  // A page of the same site reaches the app through a frame.
  const address = `http://localhost:${await listening(site)}/`;
  const other = await context.newPage();
  await other.goto(address);
  await other.evaluate(script);
  /** @type {Promise<string[]>} */
  const touring = other.evaluate(`
    import('/cloche-client.js')
      .then(({ connect }) => connect('${app}'))
      .then((cloche) => tourHere(cloche.mcp(), false))`);
  // A page that the user does not see asks nothing.
  await page.bringToFront();
  let isOver = false;
  const over = touring.then(String, String).finally(() => (isOver = true));
  const yes = page.getByRole('dialog').getByRole('button', { name: /^(always allow|approve)$/i });
  while (!isOver) {
    await Promise.race([over, yes.waitFor({ timeout: 0 }).catch(() => undefined)]);
    // A dialog that has just appeared takes no press.
    if (!isOver) await yes.click({ timeout: 1_000 }).catch(() => undefined);
  }
  const inOther = await touring;
  await other.close();
  await ended(site);
  return [...inOwn, ...inOther.map((line) => `${line}, through the bridge`)];
}

/**
 * Exports the folder as a bundle, as a user does.
 * @param {OpenPage} opened
 * @param {string} to the file to write
 */
export async function exportBundle({ page }, to) {
  await page.getByRole('button', { name: /^Folder / }).click();
  await page.getByRole('button', { name: 'Share folder' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'MCP server' }).click();
  await dialog.getByRole('button', { name: 'Ordinary Python' }).click();
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Bundle (.mcpb)' }).click();
  await (await downloading).saveAs(to);
  await dialog.getByRole('button', { name: 'Close' }).click();
}

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<number>} its port
 */
async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/** @param {import('node:http').Server} server */
async function ended(server) {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
