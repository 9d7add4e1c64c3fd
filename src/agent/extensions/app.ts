/**
 * The surface of extensions: what one receives as `app` to register things. Extensions in Python use the same names in
 * snake_case, and arrive here through `python-app.ts`.
 */

import type { AgentHooks } from '../turn/hooks.ts';
import type { CallInterceptor } from '../../runtime/call/intercepted-call.ts';
import type { CallInterceptors } from '../../runtime/call/interceptors.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import type { Observers } from '../../runtime/hooks/observe.ts';
import type { Dispatch } from '../../runtime/spec/call.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { charsPerToken } from '../../runtime/spec/model.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { costlyLimit, type Access } from './access.ts';
import { modelRegistrations, type ModelRegistrations, type ModelTargets } from './app-models.ts';
import type { Render } from './blocks.ts';
import { eventOfAgent, eventOfCall, textOf, type ExtensionEvent } from './events.ts';
import type { Owner } from './owner.ts';
import { createBinder, type SessionApp } from './session-writes.ts';
import { isReachable, type ExtensionHost } from './page-host.ts';
import { checkFree } from './shortcut.ts';
import type {
  ExtensionCommand,
  ExtensionShortcut,
  ExtensionStatus,
  Contributions,
} from './contributions.ts';

/** The parts of Cloche that registrations connect to. */
export interface RegistrationTargets extends ModelTargets {
  readonly registry: Pick<Registry, 'register'>;
  readonly interceptors: Pick<CallInterceptors, 'register'>;
  readonly hooks: ModelTargets['hooks'] & Pick<AgentHooks, 'observers' | 'prompt' | 'messages'>;
  readonly calls: Pick<CallPath, 'observe'>;
  readonly shown: Contributions;
  /** Events that extensions pass to each other. */
  readonly events: Observers<ExtensionEvent>;
  readonly host: ExtensionHost;
}

export interface ExtensionApp extends ModelRegistrations {
  /**
   * Adds a tool.
   * @param replaces whether it replaces a tool of the same name of the folder or of another
   * extension
   */
  registerTool(tool: RegisteredTool, dispatch: Dispatch, replaces?: boolean): void;
  registerCommand(command: ExtensionCommand): void;
  registerShortcut(shortcut: ExtensionShortcut): void;
  registerPromptSection(section: PromptPart): void;
  registerInterceptor(interceptor: CallInterceptor): void;
  registerMessageHook(hook: MessageHook): void;
  registerEventHandler(handler: EventHandler): void;
  registerStatusSection(section: Omit<ExtensionStatus, 'text'>): void;
  /** Draws messages of this kind, which are shown in sessions. */
  registerRenderer(kind: string, render: Render): void;
  /** Changes the text of a status section of this extension. @throws {ToolError} if it has none of that key */
  setStatus(key: string, text: string): void;
  /**
   * Returns what the extension can read and do in a session. Most of it throws for an empty
   * session, which means outside of any.
   */
  bound(session: string): SessionApp;
}

export interface PromptPart {
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  /** Sections of the lowest order come first. */
  readonly order: number;
  /** Null for an estimate by length. */
  readonly tokenHint: number | null;
}

export interface MessageHook {
  readonly name: string;
  /** The hook of the lowest priority runs first. */
  readonly priority: number;
  /** Returns context for this turn only; empty adds none. If it throws, the message is not sent. */
  readonly onMessage: (text: string, session: string) => Promise<string>;
}

export interface EventHandler {
  readonly name: string;
  /** The handler of the lowest priority runs first; 0 by default. */
  readonly priority?: number;
  /** Whether the handler gets an event. Without a filter, it gets all events. */
  readonly filter?: (event: ExtensionEvent) => boolean;
  readonly handle: (event: ExtensionEvent) => void;
}

export function createExtensionApp(
  owner: Owner,
  targets: RegistrationTargets,
  access: Access,
): ExtensionApp {
  const { registry, interceptors, hooks, calls, shown, events, host } = targets;
  const { from } = access;
  const bind = createBinder({
    host,
    shown,
    costly: costlyLimit(() => Date.now()),
    emit: events.emit.bind(events),
  });
  /**
   * The texts are kept here, so that a section whose power is granted later shows its latest text.
   */
  const texts = new Map<string, string>();
  return {
    ...modelRegistrations(from, owner, targets),
    registerTool(tool, dispatch, replaces = false) {
      owner.add({
        // An extension that replaces a tool decides what its calls do, as an interceptor does.
        kind: 'tool',
        name: tool.name,
        needs: replaces ? ['intercept'] : [],
        activate: () => registry.register('extension', [tool], dispatch, replaces),
      });
    },
    registerCommand(command) {
      owner.add({
        kind: 'command',
        name: `/${command.name}`,
        needs: ['show'],
        activate: () => shown.addCommand(from(), command),
      });
    },
    registerShortcut(shortcut) {
      owner.add({
        kind: 'shortcut',
        name: shortcut.key,
        needs: ['show'],
        activate: () => {
          checkFree(shortcut.key);
          return shown.addShortcut(from(), shortcut);
        },
      });
    },
    registerPromptSection({ title, content, order, tokenHint }) {
      const tokens = tokenHint ?? Math.ceil(content.length / charsPerToken);
      owner.add({
        kind: 'prompt section',
        name: title,
        needs: ['prompt'],
        activate: () =>
          hooks.prompt.add(order, (sections, { session }) =>
            isReachable(host, session)
              ? [...sections, { title, text: content, tokens, from: from().file }]
              : sections,
          ),
      });
    },
    registerInterceptor(interceptor) {
      owner.add({
        kind: 'interceptor',
        name: interceptor.name,
        needs: ['intercept'],
        activate: () => interceptors.register({ ...interceptor, extension: from().extension }),
      });
    },
    registerMessageHook({ name, priority, onMessage }) {
      owner.add({
        kind: 'message hook',
        name,
        needs: ['prompt', 'read'],
        // The interceptor of the highest priority runs first.
        activate: () =>
          hooks.messages.intercept(-priority, async (message, next) => {
            if (!isReachable(host, message.session)) return next(message);
            const text = await onMessage(textOf(message.parts), message.session);
            if (text === '') return next(message);
            return next({ ...message, context: [...message.context, { type: 'text', text }] });
          }),
      });
    },
    registerEventHandler({ name, priority = 0, filter, handle }) {
      const handleIfWanted = (event: ExtensionEvent | null): void => {
        if (event !== null && filter?.(event) !== false) handle(event);
      };
      owner.add({
        kind: 'event handler',
        name,
        needs: ['read'],
        activate: () => {
          const ends = [
            calls.observe((event) => handleIfWanted(eventOfCall(event)), priority),
            hooks.observers.observe((event) => {
              const isOurs = event.type === 'closed' || isReachable(host, event.session);
              if (event.type !== 'live' && isOurs) handleIfWanted(eventOfAgent(event));
            }, priority),
            events.observe(handleIfWanted, priority),
          ];
          return () => {
            for (const end of ends) end();
          };
        },
      });
    },
    registerRenderer(kind, render) {
      owner.add({
        kind: 'renderer',
        name: kind,
        needs: ['show'],
        activate: () => shown.addRenderer(from(), { kind, render }),
      });
    },
    registerStatusSection(section) {
      texts.set(section.key, '');
      owner.add({
        kind: 'status section',
        name: section.key,
        needs: ['show'],
        activate: () => shown.addStatus(from(), { ...section, text: texts.get(section.key) ?? '' }),
      });
    },
    setStatus(key, text) {
      if (!texts.has(key))
        throw new ToolError(
          'not-found',
          `It has registered no status section “${key.slice(0, 100)}”.`,
        );
      texts.set(key, text);
      shown.setStatus(from().file, key, text);
    },
    bound: (session) => bind(session, access),
  };
}
