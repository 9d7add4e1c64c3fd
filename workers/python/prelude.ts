/**
 * Runs before Pyodide in the tool worker, and takes away what is not to be there: the call by which Pyodide refuses classic
 * workers, while Chromium refuses module workers from a blob in an opaque origin (pinned and tested); and workers of a
 * tool's own, which Firefox cannot always end (docs/decisions/workers-in-workers.md).
 */

const scope = self as unknown as { importScripts: unknown; __pyodideScriptURL: string };
scope.importScripts = undefined;
scope.__pyodideScriptURL = 'https://cloche.invalid/pyodide.asm.mjs';
// A global of its own, of which no other object holds the constructor: gone for good.
Reflect.deleteProperty(self, 'Worker');
