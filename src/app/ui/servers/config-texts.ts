/**
 * Reads servers from configurations in JSON with comments and in the TOML of Codex, and recognises configurations in YAML.
 * A string or comment that is not closed ends at the end of the text, even after a backslash, so that matching takes time
 * in proportion to the length of the text.
 */

import { parseJson } from '../../../runtime/spec/guards.ts';
import { asText } from '../../../runtime/spec/lenient.ts';

/** Removes the comments and trailing commas that VS Code, Zed and OpenCode allow in JSON. */
export function removeComments(text: string): string {
  const keepString = (_: string, string: string | undefined): string => string ?? '';
  return text
    .replace(/("(?:[^"\\]|\\[^]?)*(?:"|$))|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, keepString)
    .replace(/("(?:[^"\\]|\\[^]?)*(?:"|$))|,(?=\s*[}\]])/g, keepString);
}

export function isServersToml(text: string): boolean {
  return /^[ \t]*\[[ \t]*mcp_servers[ \t]*\./m.test(text);
}

/** Whether the text is YAML with the servers of Continue or LibreChat, or the extensions of Goose. */
export function isServersYaml(text: string): boolean {
  return /^ *(["']?)(mcpServers|extensions)\1 *:/m.test(text);
}

/**
 * Whether a whole file is surely a configuration of servers. Other documents, such as those of an API, have some of the same
 * names further inside.
 */
export function isServersFile(text: string): boolean {
  if (isServersToml(text)) return true;
  if (/^\s*(\{|\/[/*])/.test(text)) return /"mcpServers"\s*:/.test(text);
  if (/^(["']?)mcpServers\1 *:/m.test(text)) return true;
  return /^(["']?)extensions\1 *:/m.test(text) && /\b(cmd|uri)["']? *:/.test(text);
}

interface TomlServer {
  readonly values: Map<string, unknown>;
  /** The names of the environment variables that the server is given. */
  readonly env: Set<string>;
}

/**
 * Returns the servers of a `config.toml` as configurations in JSON have them. Only strings and lists of strings are read,
 * and the values of variables are left out, since they may be keys.
 */
export function serversInToml(text: string): unknown {
  const servers = new Map<string, TomlServer>();
  let server: TomlServer | null = null;
  let isEnv = false;
  for (const statement of statements(text)) {
    if (statement.startsWith('[')) {
      const [root, name = '', part, ...deeper] = words(statement);
      isEnv = part === 'env';
      const isKnown =
        root === 'mcp_servers' && deeper.length === 0 && (part === undefined || isEnv);
      server = isKnown ? (servers.get(name) ?? { values: new Map(), env: new Set() }) : null;
      if (server !== null) servers.set(name, server);
      continue;
    }
    const at = statement.indexOf('=');
    const [key] = words(statement.slice(0, at));
    const value = statement.slice(at + 1).trim();
    if (server === null || at < 0 || key === undefined) continue;
    if (isEnv) server.env.add(key);
    else if (key === 'env') for (const name of namesIn(value)) server.env.add(name);
    else server.values.set(key, value.startsWith('[') ? words(value) : words(value)[0]);
  }
  const all = Array.from(servers, ([name, { values, env }]) => {
    const named = Object.fromEntries(Array.from(env, (variable) => [variable, '']));
    return [name, { ...Object.fromEntries(values), env: named }] as const;
  });
  return { mcpServers: Object.fromEntries(all) };
}

/** A string or a comment of TOML within one line. */
const stringOrComment = /("(?:[^"\\]|\\.?)*(?:"|$)|'[^']*(?:'|$))|#.*/g;

/** Yields tables, and keys with their values, without comments. A list may span several lines. */
function* statements(text: string): Generator<string> {
  let parts: string[] = [];
  let depth = 0;
  for (const line of text.split(/\r?\n/)) {
    const plain = line.replace(stringOrComment, (_, string: string | undefined) => string ?? '');
    parts.push(plain.trim());
    const outside = plain.replace(stringOrComment, '');
    const isTable = parts.length === 1 && plain.trimStart().startsWith('[');
    if (!isTable) depth += outside.split('[').length - outside.split(']').length;
    if (depth > 0) continue;
    yield parts.join(' ');
    parts = [];
    depth = 0;
  }
}

const token = /"(?:[^"\\]|\\.?)*(?:"|$)|'[^']*(?:'|$)|[\w-]+|=/g;

/** The strings and bare words of a statement. */
function words(text: string): string[] {
  return (text.match(token) ?? []).flatMap((word) => (word === '=' ? [] : [plainWord(word)]));
}

/** The names in an inline table. */
function namesIn(value: string): string[] {
  const tokens = value.match(token) ?? [];
  return tokens.filter((_, at) => tokens[at + 1] === '=').map(plainWord);
}

function plainWord(word: string): string {
  if (word.startsWith("'")) return word.slice(1, -1);
  const read = word.startsWith('"') ? parseJson(word) : word;
  return asText(read);
}
