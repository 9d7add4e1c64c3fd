/**
 * Runs before Pyodide in the tool worker. It hides `importScripts`, because Pyodide recognises classic workers by it
 * and refuses them, while Chromium refuses module workers from a blob in an opaque origin. It also removes the globals
 * that tools do not need, without a replacement, so that tool code cannot get them back. Among them are `Worker`,
 * because Firefox cannot always end workers that a tool creates (docs/decisions/workers-in-workers.md), and `FontFace`,
 * because Firefox 140 loads fonts in a worker from any host, whatever the policy says.
 */

import { removeOtherInterfaces } from './kept-interfaces.ts';

const scope = self as unknown as { importScripts: unknown; __pyodideScriptURL: string };
// @mutant a tool gets only the interfaces that it needs => removed [app tests/threats/escapes.test.ts rows 8 and 22:
//   a tool has no workers of its own]
removeOtherInterfaces(self, navigator);
scope.importScripts = undefined;
scope.__pyodideScriptURL = 'https://cloche.invalid/pyodide.asm.mjs';
