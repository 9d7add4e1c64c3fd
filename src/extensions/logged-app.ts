/** The surface of extensions with a log: how long the functions that an extension registers take, and how they fail. */

import { errorText } from '../spec/error.ts';
import type { ExtensionApp } from './app.ts';
import type { RunLog } from './run-log.ts';

/** @returns an app that registers the same, and writes what happens into the log */
export function loggedApp(app: ExtensionApp, log: RunLog): ExtensionApp {
  const logged = async <T>(
    what: string,
    signal: AbortSignal | null,
    work: () => Promise<T>,
  ): Promise<T> => {
    const from = performance.now();
    try {
      return await work();
    } catch (thrown) {
      if (signal?.aborted !== true) log.failed(what, errorText(thrown));
      throw thrown;
    } finally {
      log.ran(what, performance.now() - from);
    }
  };
  return {
    ...app,
    registerTool(tool, dispatch) {
      const run: typeof dispatch.run = (signal, ...asked) =>
        logged(`The tool ${tool.name}`, signal, () => dispatch.run(signal, ...asked));
      app.registerTool(tool, { ...dispatch, run });
    },
    registerCommand({ run, ...command }) {
      const what = `The command /${command.name}`;
      app.registerCommand({
        ...command,
        // What it throws is in the log, and it shows the user itself what is wrong.
        run: (...asked) => logged(what, null, () => run(...asked)),
      });
    },
    registerMessageHook({ onMessage, ...hook }) {
      const what = `The message hook ${hook.name}`;
      app.registerMessageHook({
        ...hook,
        onMessage: (...asked) => logged(what, null, () => onMessage(...asked)),
      });
    },
    registerCompactor({ compact, ...compactor }) {
      const what = `The compactor ${compactor.name}`;
      app.registerCompactor({
        ...compactor,
        compact: (signal, asked) => logged(what, signal, () => compact(signal, asked)),
      });
    },
    registerStreamProvider(name, factory) {
      const what = `The stream provider ${name}`;
      app.registerStreamProvider(name, (model) => {
        const ask = factory(model);
        return async function* (signal, ...asked) {
          const from = performance.now();
          try {
            yield* ask(signal, ...asked);
          } catch (thrown) {
            if (!signal.aborted) log.failed(what, errorText(thrown));
            throw thrown;
          } finally {
            log.ran(what, performance.now() - from);
          }
        };
      });
    },
  };
}
