import { expect, test } from 'vitest';
import { windowsCommand } from './windows-command.ts';

const env = { PATH: 'C:\\Program Files\\nodejs;C:\\tools', PATHEXT: '.EXE;.CMD' };

function started(command: readonly string[], ...files: readonly string[]) {
  return windowsCommand(command, { env, isFile: (path) => files.includes(path) });
}

test('a program is started by itself, with the arguments as they are', () => {
  const python = 'C:\\tools\\python.EXE';
  const args = ['-m', 'a b', '"q"', '%PATH%', '&'];
  expect(started(['python', ...args], python)).toEqual({ program: python, args, shell: false });
  const path = 'D:\\my servers\\server.exe';
  expect(started([path], path)).toEqual({ program: path, args: [], shell: false });
  expect(started(['python3.12'], 'C:\\tools\\python3.12.EXE').program).toBe(
    'C:\\tools\\python3.12.EXE',
  );
  // The attempt to start the program then says that it does not exist.
  expect(started(['none', 'a'])).toEqual({ program: 'none', args: ['a'], shell: false });
});

/** The arguments of a line as the command interpreter passes them on: `^` makes the next character a text. */
function interpreted(line: string): string {
  return line.replace(/\^(.)/g, '$1');
}

/** The arguments in a line of a script, as programs for Windows divide it. */
function divided(line: string): readonly string[] {
  const all: string[] = [];
  let last = '';
  let isQuoted = false;
  for (const [token] of line.matchAll(/\\*"|\\+(?!")|[^"\\]/g)) {
    if (token === ' ' && !isQuoted) {
      all.push(last);
      last = '';
    } else if (!token.endsWith('"')) last += token;
    else {
      // Before a quote, two backslashes stand for one, and an odd one makes the quote a text.
      const backslashes = token.length - 1;
      const isText = backslashes % 2 === 1;
      last += '\\'.repeat(Math.floor(backslashes / 2)) + (isText ? '"' : '');
      if (!isText) isQuoted = !isQuoted;
    }
  }
  return [...all, last];
}

test('a script gets a line in which no argument is more than a text', () => {
  const args = ['-y', 'a b', 'C:\\my files\\', 'say "hi"', '%PATH%', 'x & calc', '^', '!x!', ''];
  const {
    program,
    args: none,
    shell,
  } = started(['npx', ...args], 'C:\\Program Files\\nodejs\\npx.CMD');
  expect([none, shell]).toEqual([[], true]);
  const inScript = interpreted(program);
  expect(inScript.startsWith('"C:\\Program Files\\nodejs\\npx.CMD" ')).toBe(true);
  // Nothing that the interpreter acts on is left without an escape in the line, nor in that of the script.
  for (const text of [program, inScript.slice(inScript.indexOf('CMD" ') + 5)])
    expect(text.replace(/\^./g, '').replace(/ /g, '')).not.toMatch(/[()%!"<>&|]/);
  expect(divided(interpreted(inScript)).slice(1)).toEqual(args);
});
