/** Commands of Cloche itself that are written in a message, such as `/title`. */

import { errorText } from '../../runtime/spec/error.ts';
import type { BuiltIn } from './built-ins.ts';
import type { SessionApp } from './session-writes.ts';
import type { ExtensionCommand } from './contributions.ts';

interface Written {
  readonly name: string;
  readonly description: string;
  /** The text after the command, such as `NAME`; empty if there is none. */
  readonly argument: string;
  readonly complete?: (app: SessionApp, prefix: string) => Promise<readonly string[]>;
  /**
   * Runs the command.
   * @returns the message for the user; empty for none
   * @throws an error for the user
   */
  readonly run: (app: SessionApp, args: string) => Promise<string>;
}

const commands: readonly Written[] = [
  {
    name: 'title',
    description: 'Renames the session',
    argument: 'TITLE',
    run: async (app, args) => {
      await app.setSessionTitle(args);
      return '';
    },
  },
  {
    name: 'model',
    description: 'Chooses a model for the session',
    argument: 'MODEL',
    complete: async (app, prefix) => {
      const words = prefix.toLowerCase();
      const names = (await app.availableModels()).map(({ name }) => name);
      return names.filter((name) => name.toLowerCase().includes(words));
    },
    run: async (app, args) => `Model: ${(await app.switchModel(args)).label}`,
  },
  {
    name: 'background',
    description: 'Runs a prompt beside the session',
    argument: 'PROMPT',
    run: async (app, args) => {
      await app.runBackground(args);
      return '';
    },
  },
  {
    name: 'fork',
    description: 'Copies the session, and shows the copy',
    argument: '',
    run: async (app) => {
      await app.forkSession();
      return '';
    },
  },
  {
    name: 'new',
    description: 'Shows a new session',
    argument: '',
    run: async (app) => {
      await app.swapSession(null);
      return '';
    },
  },
];

export const slashCommands: BuiltIn = {
  name: 'Session commands',
  without: `Messages such as /title are sent to the model; there are no commands ${commands.map(({ name }) => `/${name}`).join(', ')}.`,
  register: (app) => {
    for (const { name, description, argument, complete, run } of commands) {
      const command: ExtensionCommand = {
        name,
        description,
        immediate: true,
        complete: complete === undefined ? null : (_, prefix) => complete(app.bound(''), prefix),
        run: async (args, session) => {
          const bound = app.bound(session);
          try {
            const isMissing = argument !== '' && args.trim() === '';
            const text = isMissing ? `Write /${name} ${argument}.` : await run(bound, args.trim());
            if (text !== '') await bound.notify(text);
          } catch (thrown) {
            await bound.notify(`/${name}: ${errorText(thrown)}`);
          }
        },
      };
      app.registerCommand(command);
    }
  },
};
