/**
 * Runs before Pyodide in the tool worker. Pyodide refuses classic workers by calling importScripts, and Chromium
 * refuses module workers from a blob in an opaque origin: so the call is taken away. (Pinned and tested.)
 */

const scope = self as unknown as { importScripts: unknown; __pyodideScriptURL: string };
scope.importScripts = undefined;
scope.__pyodideScriptURL = 'https://cloche.invalid/pyodide.asm.mjs';
