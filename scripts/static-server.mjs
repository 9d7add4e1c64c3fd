/** A plain static server for a built folder: it does nothing that another static host would not do. */
import { createServer } from 'node:http';
import { realpath } from 'node:fs/promises';
import { extname } from 'node:path';
import { contentType } from './content-type.mjs';
import { EncodedFiles } from './encoded-files.mjs';
import { findFile } from './find-file.mjs';

/**
 * Serves `folder` below `base`, to this machine only unless `host` says otherwise.
 * @param {object} options
 * @param {string} options.folder
 * @param {string} [options.base]
 * @param {string | undefined} [options.more] a folder with further files
 * @param {number} [options.port] 0 picks a free one
 * @param {string | undefined} [options.host]
 * @param {Readonly<Record<string, string>>} [options.headers] added to each response
 * @param {boolean} [options.compressWasm] as hosts do; this server leaves it out otherwise, because it takes seconds
 * @param {(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => boolean} [options.answer]
 *   answers requests that are not for files, and says whether it did
 * @param {() => Promise<void>} [options.ready] awaited before each answer; the answer is 500 if it rejects
 * @returns {Promise<{url: string, close: () => Promise<void>}>} its address, with a slash at the end, and its end
 */
export async function serveFolder({
  folder,
  more,
  base = '/',
  port = 0,
  host,
  headers = {},
  compressWasm = false,
  answer: answerOther = () => false,
  ready = () => Promise.resolve(),
}) {
  const site = {
    roots: await Promise.all(
      [folder, ...(more === undefined ? [] : [more])].map((one) => realpath(one)),
    ),
    prefix: encodeURI(`/${base}/`.replace(/\/+/g, '/')),
    files: new EncodedFiles(compressWasm),
  };
  /** @type {import("node:http").RequestListener} */
  const listener = (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (answerOther(request, response)) return;
    ready()
      .then(() => answer(site, request, response))
      .catch((/** @type {unknown} */ error) => {
        console.error(`${String(request.url)}: ${String(error)}`);
        if (response.headersSent) response.destroy();
        else plain(response, 500, 'The server failed; its log says why.');
      });
  };
  const first = createServer(listener);
  const bound = await listen(first, port, host ?? '127.0.0.1');
  const servers = [first];
  if (host === undefined) {
    // Browsers may resolve localhost to either address; without IPv6, the first is enough.
    const second = createServer(listener);
    const listening = await listen(second, bound, '::1').then(
      () => true,
      () => false,
    );
    if (listening) servers.push(second);
  }
  return {
    url: `http://localhost:${bound}${site.prefix}`,
    close: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

/**
 * @param {{roots: readonly string[], prefix: string, files: EncodedFiles}} site
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer({ roots, prefix, files }, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    plain(response, 405, 'Only GET and HEAD are answered here.');
    return;
  }
  const { pathname, search } = new URL(`http://localhost${request.url ?? '/'}`);
  if (`${pathname}/` === prefix) {
    response.setHeader('Location', `${prefix}${search}`);
    plain(response, 308, 'The address ends in a slash.');
    return;
  }
  /** @type {import("./find-file.mjs").FoundFile | undefined} */
  let file;
  if (pathname.startsWith(prefix))
    for (const root of roots) file ??= await findFile(root, pathname.slice(prefix.length));
  if (file === undefined) {
    plain(response, 404, 'There is nothing at this address.');
    return;
  }
  // Weak, because the same version is sent in several encodings.
  const etag = `W/"${file.version}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', cacheControl(pathname));
  response.setHeader('Content-Type', contentType(extname(file.path)));
  response.setHeader('Vary', 'Accept-Encoding');
  if (matches(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end();
    return;
  }
  const encoding = files.encodingFor(file, request.headers['accept-encoding']);
  const body = await files.read(file, encoding);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.byteLength);
  response.writeHead(200).end(request.method === 'HEAD' ? undefined : body);
}

// Files with a hash in their name never change; all others are requested again.
/** @param {string} pathname */
function cacheControl(pathname) {
  const hashed = /\/assets\/[^/]+-[\w-]{8,}\.\w+$/.test(pathname);
  return hashed ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/**
 * @param {string | undefined} header
 * @param {string} etag
 */
function matches(header, etag) {
  const tags = header?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.includes('*') || tags.includes(etag);
}

/**
 * @param {import("node:http").ServerResponse} response
 * @param {number} status
 * @param {string} text
 */
function plain(response, status, text) {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.writeHead(status).end(`${text}\n`);
}

/**
 * @param {import("node:net").Server} server
 * @param {number} port 0 picks a free one
 * @param {string} host
 * @returns {Promise<number>} the port it listens on
 */
export function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/** @param {import("node:http").Server} server @returns {Promise<void>} */
export function close(server) {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
