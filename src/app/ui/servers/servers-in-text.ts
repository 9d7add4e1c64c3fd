/** Finds the addresses and commands of MCP servers in what users paste: configurations of clients, and `server.json`. */

import type { YamlReader } from '../../../runtime/protocol/yaml.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import { asObject, asFields, parseJson, stringsIn } from '../../../runtime/spec/guards.ts';
import { asList } from '../../../runtime/spec/lenient.ts';
import { requestTarget } from '../../../runtime/grants/request-parts.ts';
import { bridgeLine } from '../../../agent/mcp/server-fault-text.ts';
import { quoteWord } from '../parts/shell-command.ts';
import {
  isServersFile,
  isServersToml,
  isServersYaml,
  serversInToml,
  removeComments,
} from './config-texts.ts';

export type FoundServer =
  | {
      readonly name: string;
      readonly url: string;
      /** Whether it is on this computer or in its network. */
      readonly isLocal: boolean;
    }
  /** The command that serves a program to this page. */
  | { readonly name: string; readonly command: string };

/** Limit of a configuration; characters, and bytes of a file. */
const maxSize = 1_000_000;
/** Bytes of a dropped file that are searched for signs of a configuration; as many as a document to import may have. */
const maxSearched = 10 * 1024 * 1024;
const maxFound = 50;
/** Programs with which commands of servers begin. */
const programs = /^(npx|bunx|uvx?|pipx|node|deno|bun|python3?|docker|podman|java|dotnet|go)\s+\S/;

/** Reads YAML in a worker, which is started with the first text. */
type Yaml = Pick<YamlReader, 'parse'>;

/**
 * Reads what the user has pasted.
 * @returns null if the text is neither a configuration nor a command, but may be an address
 * @throws {ToolError} if the text is too long, or is not valid YAML
 */
export async function readServers(
  text: string,
  yaml: Yaml,
): Promise<readonly FoundServer[] | null> {
  const trimmed = text.trim();
  if (trimmed.length > maxSize)
    throw new ToolError(
      'limit',
      'The text has more than 1,000,000 characters. Paste only the part with the servers.',
    );
  if (isServersToml(trimmed)) return serversIn(serversInToml(trimmed));
  if (/^(\{|\/[/*])/.test(trimmed)) return serversIn(parseJson(removeComments(trimmed)));
  if (programs.test(trimmed) || /^\.{0,2}\/\S/.test(trimmed)) {
    // A command may go on in the next line.
    const lines = trimmed.split(/\\\r?\n/);
    const line = lines.map((part) => part.trim()).join(' ');
    return hasUnseen(line) ? [] : [{ name: 'Command', command: bridge(line, []) }];
  }
  return isServersYaml(text) ? serversIn(await yamlValue(text, yaml)) : null;
}

/**
 * Reads a dropped file.
 * @returns null if it has no servers, or cannot be read and may be a document to import
 * @throws {ToolError} if it is a configuration that is too long, or is not valid YAML
 */
export async function readServersFile(
  file: Blob,
  yaml: Yaml,
): Promise<readonly FoundServer[] | null> {
  const text = await file.slice(0, maxSearched).text();
  const isSure = isServersFile(text);
  if (file.size > maxSize) {
    if (!isSure) return null;
    throw new ToolError(
      'limit',
      'The file has more than 1,000,000 bytes. Paste only the part with the servers. To import an OpenAPI document, drop it on another page.',
    );
  }
  try {
    const found = (await readServers(text, yaml)) ?? [];
    return found.length > 0 || isSure ? found : null;
  } catch (thrown) {
    if (isSure) throw thrown;
    // The import allows longer documents, and names the mistakes of others.
    return null;
  }
}

async function yamlValue(text: string, yaml: Yaml): Promise<unknown> {
  const parsed = await yaml.parse(text);
  if ('excess' in parsed)
    throw new ToolError(
      'limit',
      `The text ${parsed.excess}. Paste only the part with the servers.`,
    );
  if ('mistake' in parsed)
    throw new ToolError('bad-input', `Line ${parsed.line}: ${parsed.mistake}. ${parsed.hint}`);
  return parsed.value;
}

function serversIn(parsed: unknown): readonly FoundServer[] {
  const config = asFields(parsed);
  const { mcpServers, servers, mcp, context_servers, remotes, packages } = config;
  // Settings of VS Code have `mcp.servers`; in those of OpenCode, `mcp` has the servers themselves.
  const nested = asFields(mcp).servers ?? mcp;
  // Claude Code keeps the servers of each project beside those of all projects.
  const ofProjects = Object.values(asObject(config.projects)).map(
    (one) => asFields(one).mcpServers,
  );
  const named = [
    ...[mcpServers, ...ofProjects].flatMap(namedEntries),
    ...[servers, nested, context_servers].flatMap((all) => Object.entries(asObject(all))),
    ...namedEntries(config.extensions).map(([key, entry]) => [key, ofGoose(entry)] as const),
  ];
  const name = typeof config.name === 'string' ? config.name : 'server.json';
  const published = [...asList(remotes), ...asList(packages).map(commandOfPackage)];
  // A single server, as some clients copy it.
  const single = 'command' in config || 'url' in config ? [config] : [];
  const all = [
    ...named.map(([key, entry]) => readServer(key, entry)),
    ...[...published, ...single].map((entry) => readServer(name, entry)),
  ].filter((one) => one !== null);
  // Several projects often have the same server.
  const different = new Map(all.map((one) => [JSON.stringify(one), one]));
  return [...different.values()].slice(0, maxFound);
}

/** The entries of a map, or of a list whose items have names. */
function namedEntries(all: unknown): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(all)) return Object.entries(asObject(all));
  return all.map((entry: unknown, at) => {
    const { name } = asFields(entry);
    return [typeof name === 'string' ? name : `Server ${at + 1}`, entry];
  });
}

/** Returns an extension of Goose with the names that other clients use. Built-in ones have no address and no command. */
function ofGoose(entry: unknown): unknown {
  const { cmd, args, uri, envs, env_keys } = asFields(entry);
  const keys = [...Object.keys(asObject(envs)), ...stringsIn(env_keys)];
  return { command: cmd, args, url: uri, env: Object.fromEntries(keys.map((key) => [key, ''])) };
}

function readServer(name: string, entry: unknown): FoundServer | null {
  const { url, serverUrl, httpUrl, command, args, env, environment } = asFields(entry);
  const program = typeof command === 'string' ? [command] : stringsIn(command);
  const words = [...program, ...stringsIn(args)];
  // The program mcp-remote passes messages on to an address, which Cloche can reach itself.
  const remote = words.some((word) => /^mcp-remote(@|$)/.test(word))
    ? words.find((word) => /^https?:/.test(word))
    : undefined;
  const address = [url, serverUrl, httpUrl, remote].find((one) => typeof one === 'string');
  if (typeof address === 'string') {
    const target = requestTarget(address, '');
    return 'why' in target ? null : { name, url: address, isLocal: target.local };
  }
  if (program.length === 0) return null;
  const line = words.map(quoteWord).join(' ');
  if (hasUnseen(line)) return null;
  return { name, command: bridge(line, Object.keys(asFields(env ?? environment))) };
}

/** Whether a line has invisible characters, which a terminal may interpret. */
function hasUnseen(line: string): boolean {
  return /[\p{Cc}\p{Cf}]/u.test(line);
}

/** The program and arguments that start a package of `server.json`. */
function commandOfPackage(entry: unknown): unknown {
  const { registryType, identifier, version, environmentVariables } = asFields(entry);
  if (typeof identifier !== 'string') return null;
  const at = typeof version === 'string' ? version : 'latest';
  const env: Record<string, string> = {};
  for (const one of asList(environmentVariables)) {
    const { name } = asFields(one);
    if (typeof name === 'string') env[name] = '';
  }
  switch (registryType) {
    case 'npm':
      return { command: 'npx', args: ['-y', `${identifier}@${at}`], env };
    case 'pypi':
      return { command: 'uvx', args: [`${identifier}@${at}`], env };
    case 'oci':
      return { command: 'docker', args: ['run', '-i', '--rm', identifier], env };
    default:
      return null;
  }
}

/** @param variables that the program needs; their values are left out, since they may be keys */
function bridge(line: string, variables: readonly string[]): string {
  const named = variables.filter((name) => /^\w+$/.test(name)).map((name) => `${name}=… `);
  return `${named.join('')}${bridgeLine(line)}`;
}
