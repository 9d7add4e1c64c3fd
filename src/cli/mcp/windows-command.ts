/** Starts programs on Windows, where those of npm are scripts (`.cmd`) that only the command interpreter runs. */

import { win32 } from 'node:path';

/** How to start a program with `spawn`. */
export interface SpawnedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether the program is a line for the command interpreter, which has all arguments. */
  readonly shell: boolean;
}

/** The properties of the machine that the search depends on. */
export interface WindowsMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isFile: (path: string) => boolean;
}

/**
 * Finds the program as the command interpreter does, in the current folder and in `PATH`. A script gets a line in which
 * no argument is more than a text.
 */
export function windowsCommand(
  [name = '', ...args]: readonly string[],
  machine: WindowsMachine,
): SpawnedCommand {
  const program = found(name, machine) ?? name;
  if (!/\.(?:cmd|bat)$/i.test(program)) return { program, args, shell: false };
  const line = [escaped(`"${program}"`), ...args.map(scriptArgument)].join(' ');
  return { program: line, args: [], shell: true };
}

function found(name: string, { env, isFile }: WindowsMachine): string | undefined {
  const endings = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const isPath = /[\\/:]/.test(name);
  const folders = isPath ? [''] : ['', ...(env.PATH ?? '').split(';').filter(Boolean)];
  const names = [...(/\.\w+$/.test(name) ? [name] : []), ...endings.map((end) => name + end)];
  return folders
    .flatMap((folder) => names.map((one) => (folder === '' ? one : win32.join(folder, one))))
    .find(isFile);
}

/**
 * An argument as the program behind a script reads it, escaped twice: the interpreter reads the line, and then that of
 * the script.
 */
function scriptArgument(argument: string): string {
  // Backslashes before a quote stand for half as many.
  const quoted = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1');
  // @mutant a command that the bridge starts on Windows is no other command => escaped(escaped(`"${quoted}"`)) -> `"${quoted}"`
  return escaped(escaped(`"${quoted}"`));
}

function escaped(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
