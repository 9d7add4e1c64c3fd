/** Connects the open folder's extensions to calls, sessions and the page. Loaded when a folder has one. */

import type { AgentHooks } from '../../agent/hooks.ts';
import type { Conversation } from '../../agent/conversation.ts';
import type { CallInterceptors } from '../../call/interceptors.ts';
import type { CallPath } from '../../call/call-path.ts';
import type { Action } from '../../extensions/actions.ts';
import { Extensions } from '../../extensions/extensions.ts';
import { Shown, type Origin } from '../../extensions/shown.ts';
import { grantedHeaders } from '../../grants/provider-grant.ts';
import type { Registry } from '../../registry/registry.ts';
import { openExtensionInterpreter } from '../../sandbox/extension-interpreter.ts';
import type { PristinePython } from '../../sandbox/interpreter.ts';
import { ToolError } from '../../spec/error.ts';
import type { CurrentFolder } from '../folder/current-folder.ts';
import { noFolder } from '../folder/folder-interpreters.ts';
import type { PageDeps } from '../page-deps.ts';
import type { PolicyConnection } from './policy.ts';

export interface ExtensionsDeps extends PageDeps {
  readonly registry: Registry;
  readonly calls: CallPath;
  readonly interceptors: CallInterceptors;
  readonly hooks: AgentHooks;
  readonly currentFolder: CurrentFolder;
  readonly policy: PolicyConnection;
  readonly policyLoaded: () => Promise<void>;
  /** Starts an interpreter with the packages of the open folder. @throws {ToolError} */
  readonly take: (signal: AbortSignal) => Promise<PristinePython>;
  /** An open session; undefined if it is not open in this page. */
  readonly conversation: (id: string) => Pick<Conversation, 'send' | 'rename' | 'show'> | undefined;
}

export function connectExtensions(deps: ExtensionsDeps): Extensions {
  const { window, limits, report, registry, calls, interceptors, hooks, currentFolder } = deps;
  const { policies, questions, openHost } = deps.policy;
  const shown = new Shown(report);
  return new Extensions({
    ...{ registry, policies, questions, report, policyLoaded: deps.policyLoaded },
    seams: {
      ...{ registry, interceptors, hooks, calls, shown },
      grantedHeaders: (signal, wanted) => {
        const appOrigin = window.location.origin;
        return grantedHeaders(signal, wanted, { policy: policies.current, questions, appOrigin });
      },
    },
    now: () => Date.now(),
    start: async (signal, file, onAction) => {
      const folder = currentFolder.current?.snapshot;
      if (folder === undefined) throw noFolder();
      const python = await deps.take(signal);
      const of = { openHost, limits, onAction };
      return openExtensionInterpreter(signal, python, folder, file, of);
    },
    perform: (from, action, session) => {
      perform(from, action, session);
    },
  });

  function perform(from: Origin, action: Action, session: string): void {
    switch (action.action) {
      case 'notify':
      case 'show_message':
        shown.notify(from, action.text, action.action === 'show_message');
        return;
      case 'show_data': {
        const { kind: messageKind, data, text } = action;
        if (session === '') shown.notify(from, text, true);
        else opened(session).show({ messageKind, data, text, from });
        return;
      }
      case 'send_message':
        opened(session).send([{ type: 'text', text: action.text }]);
        return;
      case 'set_title':
        opened(session).rename(action.text);
        return;
      case 'open_file': {
        const path = action.path.toWellFormed().split('/').map(encodeURIComponent).join('/');
        window.location.hash = `#/files/${path}${action.line === null ? '' : `?line=${action.line}`}`;
        return;
      }
      default:
        throw new ToolError('bad-input', `The page does not perform ${action.action}.`);
    }
  }

  function opened(session: string): Pick<Conversation, 'send' | 'rename' | 'show'> {
    const conversation = session === '' ? undefined : deps.conversation(session);
    if (conversation !== undefined) return conversation;
    throw new ToolError('not-found', 'It does not run for a session that is open here.');
  }
}
