/** Starts programs on Windows, where programs of npm are scripts (`.cmd`) that only the command interpreter runs. */

import { win32 } from 'node:path';

/** How to start a program with `spawn`. */
export interface SpawnedCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Whether the program is a line for the command interpreter that contains all arguments. */
  readonly shell: boolean;
}

/** The properties of the machine that the search depends on. */
export interface WindowsMachine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isFile: (path: string) => boolean;
}

/**
 * Finds the program as the command interpreter does, in the current folder and in `PATH`. For a script, returns a line
 * in which each argument is escaped, so that it is only text.
 */
export function windowsCommand(
  [name = '', ...args]: readonly string[],
  machine: WindowsMachine,
): SpawnedCommand {
  const program = findProgram(name, machine) ?? name;
  if (!/\.(?:cmd|bat)$/i.test(program)) return { program, args, shell: false };
  const line = [escapeForCmd(`"${program}"`), ...args.map(scriptArgument)].join(' ');
  return { program: line, args: [], shell: true };
}

function findProgram(name: string, { env, isFile }: WindowsMachine): string | undefined {
  const endings = (env.PATHEXT ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const isPath = /[\\/:]/.test(name);
  const folders = isPath ? [''] : ['', ...(env.PATH ?? '').split(';').filter(Boolean)];
  const names = [...(/\.\w+$/.test(name) ? [name] : []), ...endings.map((end) => name + end)];
  return folders
    .flatMap((folder) => names.map((one) => (folder === '' ? one : win32.join(folder, one))))
    .find(isFile);
}

/**
 * Escapes an argument twice, for the program that a script starts: the interpreter reads the line, and then the line in
 * the script.
 */
function scriptArgument(argument: string): string {
  // Backslashes before a quote stand for half as many.
  const quoted = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1');
  // @mutant a command that the bridge starts on Windows is no other command => escapeForCmd(escapeForCmd(`"${quoted}"`)) -> `"${quoted}"`
  return escapeForCmd(escapeForCmd(`"${quoted}"`));
}

function escapeForCmd(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
