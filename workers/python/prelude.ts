/**
 * Runs before Pyodide in the tool worker, and removes three globals: `importScripts`, by which Pyodide recognises and refuses
 * classic workers, while Chromium refuses module workers from a blob in an opaque origin; `Worker`, since Firefox
 * cannot always end workers that a tool creates (docs/decisions/workers-in-workers.md); and `FontFace`, since Firefox 140
 * loads fonts in a worker from any host, whatever the policy says.
 */

const scope = self as unknown as { importScripts: unknown; __pyodideScriptURL: string };
scope.importScripts = undefined;
scope.__pyodideScriptURL = 'https://cloche.invalid/pyodide.asm.mjs';
// No other object refers to these constructors, so tool code cannot get them back.
Reflect.deleteProperty(self, 'Worker');
Reflect.deleteProperty(self, 'FontFace');
