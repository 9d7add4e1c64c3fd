/** A mock of the app that an extension in TypeScript receives. `mock_app` of cloche_test.py is the same for Python. */

import { createAgentHooks } from '../turn/hooks.ts';
import { CallInterceptors } from '../../runtime/call/interceptors.ts';
import type { Power } from '../../runtime/grants/powers.ts';
import { createObservers } from '../../runtime/hooks/observe.ts';
import { noDispatch } from '../../runtime/registry/dispatch.fixture.ts';
import { Registry } from '../../runtime/registry/registry.ts';
import type { CallEvent } from '../../runtime/spec/call.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import type { Action } from './actions.ts';
import { createExtensionApp, type ExtensionApp } from './app.ts';
import type { ExtensionEvent } from './events.ts';
import { FakeHost } from './host-types.fixture.ts';
import { Owner } from './owner.ts';
import { Contributions } from './contributions.ts';

export interface MockApp extends Targets {
  readonly app: ExtensionApp;
  readonly owner: Owner;
  /** The actions of the page that it asked for, and the session of each. */
  readonly performed: { readonly action: Action; readonly session: string }[];
  /** The powers that it asked for, in order. */
  readonly asked: readonly Power[];
  /** Takes back all that is registered. */
  end(): void;
}

interface Targets {
  readonly registry: Registry;
  readonly interceptors: CallInterceptors;
  readonly hooks: ReturnType<typeof createAgentHooks>;
  readonly calls: ReturnType<typeof createObservers<CallEvent>>;
  readonly shown: Contributions;
  readonly events: ReturnType<typeof createObservers<ExtensionEvent>>;
  /** A page with the session `s`. */
  readonly host: FakeHost;
}

/**
 * Registers an extension with real hooks, a fake page and every power that is allowed.
 * @param isAllowed by default, all are
 */
export function mockApp(
  register: (app: ExtensionApp) => void,
  isAllowed: (power: Power) => boolean = () => true,
): MockApp {
  const report = (thrown: unknown): void => {
    throw thrown;
  };
  const targets: Targets = {
    registry: new Registry(noDispatch, report),
    interceptors: new CallInterceptors(defaultLimits),
    hooks: createAgentHooks(report),
    calls: createObservers<CallEvent>(report),
    shown: new Contributions(report),
    events: createObservers<ExtensionEvent>(report),
    host: new FakeHost(),
  };
  const owner = new Owner(isAllowed);
  const life = new AbortController();
  const performed: { action: Action; session: string }[] = [];
  const asked: Power[] = [];
  const grantedHeaders = (): never => {
    throw new Error('A mock reaches no provider.');
  };
  const app = createExtensionApp(
    owner,
    { ...targets, grantedHeaders },
    {
      from: () => ({ extension: 'Mock', file: 'mock.py' }),
      signal: life.signal,
      need: (power) => {
        asked.push(power);
        return Promise.resolve();
      },
      perform: (action, session) => {
        performed.push({ action, session });
        return Promise.resolve();
      },
    },
  );
  register(app);
  owner.refresh();
  return {
    ...targets,
    app,
    owner,
    performed,
    asked,
    end: () => {
      life.abort();
      owner.end();
    },
  };
}
