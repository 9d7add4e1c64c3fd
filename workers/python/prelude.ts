/**
 * Runs before Pyodide in the tool worker, and removes two globals: `importScripts`, by which Pyodide recognises and refuses
 * classic workers, while Chromium refuses module workers from a blob in an opaque origin; and `Worker`, since Firefox
 * cannot always end workers that a tool creates (docs/decisions/workers-in-workers.md).
 */

const scope = self as unknown as { importScripts: unknown; __pyodideScriptURL: string };
scope.importScripts = undefined;
scope.__pyodideScriptURL = 'https://cloche.invalid/pyodide.asm.mjs';
// No other object refers to the constructor, so tool code cannot get it back.
Reflect.deleteProperty(self, 'Worker');
