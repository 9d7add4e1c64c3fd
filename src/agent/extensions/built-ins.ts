/** The extensions that are part of Cloche. They register through the same API as those of a folder, and have every power. */

import { coalesce } from '../../runtime/async/coalesce.ts';
import { Observable } from '../../runtime/hooks/observe.ts';
import { errorText } from '../../runtime/spec/error.ts';
import { stringsIn, parseJson } from '../../runtime/spec/guards.ts';
import { createExtensionApp, type ExtensionApp } from './app.ts';
import type { ExtensionsDeps, ExtensionView } from './extensions.ts';
import { Owner } from './owner.ts';
import { RunLog } from './function-log.ts';
import { recall } from '../../runtime/spec/browser-storage.ts';

export interface BuiltIn {
  /** Name of the extension, unique among all of Cloche's own. */
  readonly name: string;
  /**
   * Says what is missing while the extension is switched off; null if the user cannot switch it
   * off.
   */
  readonly without: string | null;
  readonly register: (app: ExtensionApp) => void;
}

export interface BuiltInsDeps extends Pick<
  ExtensionsDeps,
  'targets' | 'perform' | 'now' | 'report'
> {
  readonly version: string;
  /** Remembers which extensions are switched off; null if the browser refuses storage. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem'> | null;
}

interface Entry {
  readonly builtIn: BuiltIn;
  readonly log: RunLog;
  /** Holds what the extension has registered; null while it is switched off. */
  owner: Owner | null;
  end: () => void;
}

const storageKey = 'cloche-built-ins-off';
/** Interval between notifications of observers; milliseconds. */
const notifyMs = 100;

export class BuiltIns extends Observable<undefined> {
  readonly #deps: BuiltInsDeps;
  readonly #notify;
  readonly #off: Set<string>;
  #entries: readonly Entry[] = [];

  constructor(deps: BuiltInsDeps) {
    super(deps.report);
    this.#deps = deps;
    this.#notify = coalesce(() => this.emit(undefined), notifyMs);
    this.#off = new Set(stringsIn(parseJson(recall(deps.memory, storageKey))));
  }

  list(): readonly ExtensionView[] {
    return this.#entries.map(({ builtIn: { name, without }, log, owner }) => ({
      name,
      version: this.#deps.version,
      kind: 'builtin',
      runtime: 'typescript',
      file: '',
      state: owner === null ? 'off' : 'running',
      registered: owner?.list() ?? [],
      without,
      powers: (owner?.needs ?? []).map((power) => ({ power, decision: 'allow' as const })),
      calls: log.calls,
      spentMs: log.spentMs,
      slow: log.slow,
      faults: log.faults,
    }));
  }

  /**
   * Registers an extension, unless the user has switched it off.
   * @returns a function that removes all of its registrations
   */
  add(builtIn: BuiltIn): () => void {
    const log = new RunLog(this.#deps.now, this.#notify);
    const entry: Entry = { builtIn, log, owner: null, end: () => undefined };
    this.#entries = [...this.#entries, entry];
    if (builtIn.without === null || !this.#off.has(builtIn.name)) this.#start(entry);
    this.#notify();
    return () => {
      entry.end();
      this.#entries = this.#entries.filter((other) => other !== entry);
      this.#notify();
    };
  }

  /** Switches an extension off, or on again, for this browser. One that is always on stays on. */
  switch(name: string, off: boolean): void {
    const entry = this.#entries.find(({ builtIn }) => builtIn.name === name);
    // @mutant features that sessions depend on cannot be switched off => without || entry.builtIn.without === null
    //   [src/agent/extensions/open-built-ins.test.ts]
    if (entry === undefined || entry.builtIn.without === null) return;
    if (off) this.#off.add(name);
    else this.#off.delete(name);
    try {
      this.#deps.memory?.setItem(storageKey, JSON.stringify([...this.#off]));
    } catch (thrown) {
      entry.log.failed('Saving this setting', errorText(thrown));
    }
    entry.end();
    if (!off) this.#start(entry);
    this.#notify();
  }

  #start(entry: Entry): void {
    const { targets, perform } = this.#deps;
    const { builtIn, log } = entry;
    const from = { extension: builtIn.name, file: '' };
    // Cloche's own extensions have every power, so the user is asked for none.
    const owner = new Owner(() => true);
    const life = new AbortController();
    const app = createExtensionApp(owner, targets, {
      from: () => from,
      signal: life.signal,
      need: () => Promise.resolve(),
      perform: async (action, session) => {
        perform(from, action, session);
        return Promise.resolve();
      },
    });
    builtIn.register(loggedApp(app, log));
    // Registering only adds to the owner; this activates what was added.
    owner.refresh();
    entry.owner = owner;
    entry.end = () => {
      life.abort();
      owner.end();
      entry.owner = null;
    };
  }
}

/**
 * Logs how long the functions that an extension registers take, and how they fail.
 *
 * @returns an app that registers the same, and writes what happens into the log
 */
function loggedApp(app: ExtensionApp, log: RunLog): ExtensionApp {
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
    registerTool(tool, dispatch, replaces) {
      const run: typeof dispatch.run = (signal, ...asked) =>
        logged(`The tool ${tool.name}`, signal, () => dispatch.run(signal, ...asked));
      app.registerTool(tool, { ...dispatch, run }, replaces);
    },
    registerCommand({ run, ...command }) {
      const what = `The command /${command.name}`;
      app.registerCommand({
        ...command,
        // The command shows its errors to the user itself; here they are only logged.
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
