/** Globals that the measured pages set. */

import type { App } from '../src/app/app.ts';

declare global {
  // Declared as variables, since only those become properties of globalThis.
  var cloche: App;
  var plain: {
    ready: Promise<string>;
    ask(message: object): Promise<string>;
    /** One more worker beside the first. */
    another(): Promise<unknown>;
    /** Ends the worker, and starts another one. */
    restart(): Promise<string>;
  };
  /** The bare loop against which a model's turn is measured. */
  var plainLoop: { run(asked: object): Promise<string> };
  /** Milliseconds from a drop to the end of the scan. */
  var opened: Promise<number>;
}
