/** npm start: serves the built app, and builds it first if needed. PORT, BASE and HOST may be set. */
import { distFolder } from './dist.mjs';
import { requireBuild } from './run.mjs';
import { serveFolder } from './static-server.mjs';

const port = Number(process.env.PORT ?? 4173);
if (!Number.isInteger(port) || port < 0 || port > 65535) {
  fail(`PORT=${process.env.PORT} is not a port: use a number from 0 (any free one) to 65535.`);
}

await requireBuild();

try {
  const { url } = await serveFolder({
    folder: distFolder,
    base: process.env.BASE ?? '/',
    port,
    host: process.env.HOST,
  });
  console.log(`Cloche is ready at ${url}`);
} catch (error) {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  fail(inUse ? `Port ${port} is in use: try PORT=${port + 1} npm start.` : String(error));
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}
