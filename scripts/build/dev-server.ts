/** Our plugins in the development server: serves a file that is made on request, and reloads when a source has changed. */
import { extname } from 'node:path';
import type { DevEnvironment, EnvironmentModuleNode, ViteDevServer } from 'vite';
import { contentType } from '../content-type.mjs';
import type { Product } from './product.ts';

/** `find` gets a path below the app's base and answers with the file's content, or nothing if it is not its own. */
export function serveFile(
  server: ViteDevServer,
  find: (path: string) => Promise<string | Uint8Array | undefined>,
): void {
  server.middlewares.use((request, response, next) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    find(pathname.slice(1)).then((content) => {
      if (content === undefined) {
        next();
        return;
      }
      response.setHeader('Content-Type', contentType(extname(pathname)));
      response.setHeader('Cache-Control', 'no-cache');
      response.end(content);
    }, next);
  });
}

/** To be returned from `hotUpdate`: an empty list ends Vite's own handling of the change. */
export function reloadAfter(
  environment: DevEnvironment,
  file: string,
  made: readonly (readonly [Product<unknown>, moduleId: string | undefined])[],
): EnvironmentModuleNode[] | undefined {
  // Every product is asked, because one file may be part of several.
  const dropped = made.filter(([product]) => product.drop(file));
  if (dropped.length === 0) return undefined;
  for (const [, moduleId] of dropped) {
    const module =
      moduleId === undefined ? undefined : environment.moduleGraph.getModuleById(moduleId);
    if (module !== undefined) environment.moduleGraph.invalidateModule(module);
  }
  environment.hot.send({ type: 'full-reload', path: '*' });
  return [];
}
