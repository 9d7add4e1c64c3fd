/** Connects what an extension in Python has registered, which it reports as plain data, to the surface of extensions. */

import { ToolError } from '../../runtime/spec/error.ts';
import { asFields, isAmount, isCount, stringsIn, type Fields } from '../../runtime/spec/guards.ts';
import type { Json, JsonText } from '../../runtime/spec/json.ts';
import type { ExtensionApp } from './app.ts';
import {
  invalidRegistration,
  registerModels,
  requireText,
  type CallFunction,
} from './python-models.ts';
import { toChange, toPython } from './python-results.ts';
import type { PythonStreams } from './python-stream.ts';
import type { ExtensionEvent } from './events.ts';
import { readShortcut } from './shortcut.ts';

export interface PythonSide {
  readonly call: CallFunction;
  readonly streams: PythonStreams;
  /** Performs the action that a function has returned; null does nothing. @throws {ToolError} */
  readonly perform: (returned: Json, session: string) => Promise<void>;
  /** Passes an event to a handler, in order and without waiting for it. */
  readonly observe: (name: string, id: number, event: ExtensionEvent) => void;
  /** Does work that the user has asked for, and tells them if it fails. Never rejects. */
  readonly attemptForUser: (what: string, work: () => Promise<void>) => Promise<void>;
}

/** Name and version under which an extension is listed. */
export interface ExtInfo {
  readonly name: string;
  readonly version: string;
}

/** Limits of the page, which does not rely on those in Python. */
const maxEntries = 1_000;
const maxNameChars = 256;
const maxPromptChars = 200_000;

/** The value that stands for `app` among the arguments of a function. */
const app = '{"app":true}';
/** For functions that only their deadline ends early. */
const never = new AbortController().signal;

/** Returns the names of the reported tools that replace others. */
export function findReplacingTools(report: Json): ReadonlySet<unknown> {
  const { registered } = asFields(report);
  const entries = Array.isArray(registered) ? registered.map(asFields) : [];
  const replacing = entries.filter(({ kind, replace }) => kind === 'tool' && replace === true);
  return new Set(replacing.map(({ name }) => name));
}

/**
 * Registers everything but the tools.
 * @returns the values of `register_ext_info`; null if it was not called
 * @throws {ToolError} if the report is invalid; nothing must be activated then
 */
export function registerAll(report: Json, to: ExtensionApp, python: PythonSide): ExtInfo | null {
  const { registered } = asFields(report);
  if (!Array.isArray(registered) || registered.length > maxEntries) throw invalidRegistration();
  const entries = registered.map(asFields);
  let promptChars = 0;
  let info: ExtInfo | null = null;
  for (const entry of entries) {
    const name = requireText(entry, 'name', maxNameChars);
    // A name that shows nothing hides who acts.
    if (!/[^\s\p{C}]/u.test(name)) throw invalidRegistration();
    switch (entry.kind) {
      case 'ext_info':
        info = { name, version: requireText(entry, 'version') };
        break;
      case 'tool':
        break;
      case 'command':
        registerCommand(name, entry, to, python);
        break;
      case 'shortcut': {
        const run = number(entry, 'run');
        const what = `The shortcut ${name}`;
        readShortcut(name);
        to.registerShortcut({
          key: name,
          description: requireText(entry, 'description'),
          run: (session) =>
            python.attemptForUser(what, async () => {
              await python.perform(await python.call(never, what, run, [app], session), session);
            }),
        });
        break;
      }
      case 'prompt_section': {
        const content = requireText(entry, 'content');
        promptChars += content.length;
        if (promptChars > maxPromptChars)
          throw new ToolError(
            'limit',
            `Its prompt sections have more than ${maxPromptChars.toLocaleString('en')} characters.`,
          );
        const hint = entry.token_hint;
        const tokenHint = isAmount(hint) ? hint : null;
        to.registerPromptSection({
          title: name,
          content,
          order: number(entry, 'order'),
          tokenHint,
        });
        break;
      }
      case 'interceptor':
        registerInterceptor(name, entry, to, python);
        break;
      case 'message_hook': {
        const run = number(entry, 'run');
        to.registerMessageHook({
          name,
          priority: number(entry, 'priority'),
          onMessage: async (sent, session) => {
            const what = `The message hook ${name}`;
            return requireText(
              asFields(await python.call(never, what, run, [JSON.stringify(sent)], session)),
              'text',
            );
          },
        });
        break;
      }
      case 'event_handler': {
        const run = number(entry, 'run');
        const handle = (event: ExtensionEvent): void => python.observe(name, run, event);
        to.registerEventHandler({ name, priority: number(entry, 'priority'), handle });
        break;
      }
      case 'status_section':
        to.registerStatusSection({
          key: name,
          side: entry.side === 'left' ? 'left' : 'right',
          order: number(entry, 'order'),
        });
        break;
      default:
        if (!registerModels(name, entry, to, python.call, python.streams))
          throw invalidRegistration();
    }
  }
  return info;
}

function registerCommand(name: string, entry: Fields, to: ExtensionApp, python: PythonSide): void {
  const run = number(entry, 'run');
  const complete = countOrNull(entry, 'complete');
  const what = `The command /${name}`;
  if (!/^[\w-]+$/.test(name))
    throw new ToolError(
      'bad-input',
      `The command name “${name.slice(0, 50)}” has characters other than letters, digits, “_” and “-”.`,
    );
  to.registerCommand({
    name,
    description: requireText(entry, 'description'),
    immediate: entry.immediate === true,
    complete:
      complete === null
        ? null
        : async (signal, prefix) =>
            stringsIn(
              await python.call(
                signal,
                `${what} (completion)`,
                complete,
                [JSON.stringify(prefix)],
                '',
              ),
            ),
    run: (args, session) =>
      python.attemptForUser(what, async () => {
        await python.perform(
          await python.call(never, what, run, [JSON.stringify(args), app], session),
          session,
        );
      }),
  });
}

function registerInterceptor(
  name: string,
  entry: Fields,
  to: ExtensionApp,
  { call }: PythonSide,
): void {
  const before = countOrNull(entry, 'before');
  const after = countOrNull(entry, 'after');
  const what = `The interceptor ${name}`;
  to.registerInterceptor({
    name,
    priority: number(entry, 'priority'),
    ...(before !== null && {
      before: async (signal, { tool, arguments: args, sessionId }) => {
        const answer = await call(
          signal,
          what,
          before,
          [JSON.stringify(tool), expectJson(args)],
          sessionId,
        );
        if (answer === null) return null;
        const { refuse, arguments: changed } = asFields(answer);
        if (typeof changed === 'string') return { arguments: changed };
        if (typeof refuse !== 'string') throw invalidRegistration();
        return { refuse: refuse === '' ? `The interceptor ${name} denied it.` : refuse };
      },
    }),
    ...(after !== null && {
      after: async (signal, { tool, sessionId }, result) =>
        toChange(
          await call(signal, what, after, [JSON.stringify(tool), toPython(result)], sessionId),
        ),
    }),
  });
}

/**
 * Returns the arguments as they were written, since they become part of other JSON text.
 * @throws {SyntaxError} unless they are JSON
 */
function expectJson(args: JsonText): JsonText {
  // @mutant arguments are JSON before they become part of a question to a guard => removed
  //   [src/agent/extensions/extensions.test.ts]
  JSON.parse(args);
  return args;
}

function number(entry: Fields, key: string): number {
  const value = entry[key];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalidRegistration();
  return value;
}

function countOrNull(entry: Fields, key: string): number | null {
  const value = entry[key];
  if (value === null) return null;
  if (!isCount(value)) throw invalidRegistration();
  return value;
}
