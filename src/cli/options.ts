/** The commands, their options, and their help. */

import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { errorText } from '../runtime/spec/error.ts';
import type { Allowed } from '../runtime/protocol/headless.ts';
import { codeOf } from './served-folder.ts';

export const help = `npx cloche FOLDER                 open a folder of Python tools in your browser
npx cloche test FOLDER            run its saved tests
npx cloche eval FOLDER|FILE       run its evaluations with a model
npx cloche mcp FOLDER             serve its tools to MCP clients, over stdio or HTTP
npx cloche bridge -- COMMAND      let the page reach an MCP server that speaks stdio

Tools run in the sandbox of an installed Chrome, Chromium or Edge. They reach no
network, no files outside the folder, and no secrets, unless an option allows it:

  --network ORIGIN     tools may send requests there; may be repeated
  --secret NAME=ENV    value of a setting, from an environment variable; may be repeated
  --allow-approvals    run tools that require approval; otherwise their calls are refused
  --workspace DIR      a folder that tools read; --allow-writes lets them change its files
  --allow-extensions   give the folder's extensions the powers that they need
  --allow-packages     download the packages that the folder declares

open:    --port N (default 4747, or a free one)   --no-browser
test:    --only TEXT   --json FILE
mcp:     --http PORT   --allow-origin ORIGIN (a page that may call over HTTP)
bridge:  --port N   --allow-origin ORIGIN (default http://localhost:4747)
eval:    --model PROVIDER/MODEL   --base-url ADDRESS   --kind KIND   --only TEXT
         --repeat N   --max-requests N   --max-tokens N   --max-cost DOLLARS   --json FILE
         PROVIDER is a name that you choose; KIND is openai-compatible (default),
         openai-chat, openai-responses, anthropic or google. The key is read from
         CLOCHE_MODEL_KEY. The address must allow pages (CORS).

CLOCHE_BROWSER names the browser's program. Exit codes: 0 success; 1 a test failed,
or a threshold is missed; 2 anything else, such as a wrong option.
`;

const allowing = {
  network: { type: 'string', multiple: true },
  secret: { type: 'string', multiple: true },
  workspace: { type: 'string' },
  'allow-writes': { type: 'boolean' },
  'allow-approvals': { type: 'boolean' },
  'allow-extensions': { type: 'boolean' },
  'allow-packages': { type: 'boolean' },
} as const;

const commands = {
  open: { port: { type: 'string' }, 'no-browser': { type: 'boolean' } },
  test: { ...allowing, only: { type: 'string' }, json: { type: 'string' } },
  eval: {
    ...allowing,
    model: { type: 'string' },
    'base-url': { type: 'string' },
    kind: { type: 'string' },
    only: { type: 'string' },
    repeat: { type: 'string' },
    'max-requests': { type: 'string' },
    'max-tokens': { type: 'string' },
    'max-cost': { type: 'string' },
    json: { type: 'string' },
  },
  mcp: {
    ...allowing,
    http: { type: 'string' },
    'allow-origin': { type: 'string', multiple: true },
  },
  bridge: { port: { type: 'string' }, 'allow-origin': { type: 'string', multiple: true } },
} as const satisfies Record<string, NonNullable<ParseArgsConfig['options']>>;

export type CommandName = keyof typeof commands;

/** The words and options that are typed after a command. */
export interface Typed {
  readonly command: CommandName | 'help' | 'version';
  readonly places: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  has(option: string): boolean;
}

/** @param words what follows the program's name @throws {Error} */
export function readOptions(words: readonly string[]): Typed {
  const [first = 'help', ...others] = words;
  const isCommand = Object.hasOwn(commands, first) && first !== 'open';
  const command = isCommand ? (first as CommandName) : 'open';
  const typed = isCommand ? others : [...words];
  const args = command === 'bridge' ? withCommandApart(typed) : typed;
  const options = {
    ...commands[command],
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const optionValues = new Map<string, unknown>(Object.entries(values));
  const asked =
    optionValues.has('help') || words.length === 0 || first === 'help' ? 'help' : command;
  return {
    command: optionValues.has('version') ? 'version' : asked,
    places: positionals,
    text: (option) => {
      const value = optionValues.get(option);
      return typeof value === 'string' ? value : undefined;
    },
    texts: (option) => {
      const value = optionValues.get(option);
      return Array.isArray(value) ? value.map(String) : [];
    },
    has: (option) => optionValues.get(option) === true,
  };
}

/**
 * Puts `--` before the command of the bridge, whose own options begin with a dash as well: PowerShell removes the one that
 * the user has typed.
 */
function withCommandApart(words: readonly string[]): string[] {
  const options: Readonly<Record<string, { readonly type: string }>> = commands.bridge;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-')) return [...words.slice(0, at), '--', ...words.slice(at)];
    if (options[word.slice(2)]?.type === 'string') at += 1;
  }
  return [...words];
}

/** The one folder or file that a command needs. @throws {Error} */
export function onePlace({ command, places }: Typed): string {
  const [place, ...more] = places;
  if (place !== undefined && more.length === 0) return place;
  const oneFolder =
    'Name one folder, in quotes if it has spaces. npx cloche --help lists all commands.';
  const mayBeCommand = command === 'open' && place !== undefined && !/[/\\.]/.test(place);
  throw new Error(
    mayBeCommand
      ? `“${place}” is not a command. The commands are test, eval, mcp and bridge. ${oneFolder}`
      : oneFolder,
  );
}

/**
 * Returns the path of the file for the results. It is neither created nor changed, since the command may still be refused.
 *
 * @throws {Error} if the file cannot be written, before anything runs and costs money
 */
export async function resultsFile(typed: Typed): Promise<string | undefined> {
  const path = typed.text('json');
  if (path === undefined) return undefined;
  try {
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      (thrown: unknown) => {
        if (codeOf(thrown) === 'ENOENT') return null;
        throw thrown;
      },
    );
    if (isFolder === true) throw new Error('it is a folder.');
    await access(isFolder === null ? dirname(path) : path, constants.W_OK);
  } catch (thrown) {
    throw new Error(`--json ${path} cannot be written: ${errorText(thrown)}`, { cause: thrown });
  }
  return path;
}

/** The permissions of the tools. @throws {Error} */
export function readAllowed(
  typed: Typed,
  env: Readonly<Record<string, string | undefined>>,
): Allowed {
  if (typed.has('allow-writes') && typed.text('workspace') === undefined)
    throw new Error('--allow-writes needs --workspace DIR: the folder in which tools may write.');
  const secrets = typed.texts('secret').map((text) => {
    const [, name, variable] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    // The message must not repeat what may be a secret.
    if (name === undefined || variable === undefined)
      throw new Error('--secret needs NAME=ENV: a setting, and an environment variable.');
    const value = env[variable];
    if (value === undefined)
      throw new Error(
        `--secret ${name}: there is no such environment variable. Name the variable, not its value.`,
      );
    return [name, value] as const;
  });
  return {
    approvals: typed.has('allow-approvals'),
    extensions: typed.has('allow-extensions'),
    packages: typed.has('allow-packages'),
    writes: typed.has('allow-writes'),
    origins: typed.texts('network').map((text) => originOf('--network', text)),
    secrets: Object.fromEntries(secrets),
  };
}

/** @throws {Error} if the text is not an origin */
export function originOf(option: string, text: string): string {
  const { origin = 'null' } = URL.parse(text) ?? {};
  if (origin === 'null')
    throw new Error(`${option} needs an origin such as https://example.com, not ${text}.`);
  return origin;
}

/** @throws {Error} if the option is not a whole number from `min` to `max` */
export function readWholeNumber(
  typed: Typed,
  option: string,
  min: number,
  max: number,
): number | undefined {
  const text = typed.text(option);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new Error(`--${option} needs a whole number from ${min} to ${max}, not ${text}.`);
  return value;
}
