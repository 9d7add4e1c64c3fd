/** The handshake of Cloche with MCP clients. `npx cloche mcp` answers the same as the page, while the page still starts. */

/** The revisions that begin with a session. */
export const sessionVersions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;
export type SessionVersion = (typeof sessionVersions)[number];
export const latestSessionVersion: SessionVersion = '2025-11-25';
/** The revision without sessions. */
export const modernVersion = '2026-07-28';
export const metaPrefix = 'io.modelcontextprotocol/';

const capabilities = { tools: { listChanged: true }, logging: {} };

/** The methods of clients that begin a session, and of those that do not: what {@link capabilities} declare. */
export const sessionMethods: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'logging/setLevel',
]);
export const modernMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'tools/call',
  'subscriptions/listen',
]);

export function unknownMethodText(method: string): string {
  return `Method not found: ${method.slice(0, 200)}`;
}

/** The members of the answer to `server/discover` that only it has. */
export const discoverResult = {
  supportedVersions: [modernVersion],
  capabilities,
  ttlMs: 0,
  cacheScope: 'private',
};

/** @param revision of the folder's tools; empty if it is not known */
export function serverInfo(folder: string | null, revision: string): object {
  const title = folder === null ? 'Cloche' : `Cloche: ${folder}`;
  return { name: 'cloche', title, version: revision === '' ? '0' : revision };
}

/** The revision of a session whose client asks for `asked`. */
export function negotiateVersion(asked: unknown): SessionVersion {
  return sessionVersions.find((one) => one === asked) ?? latestSessionVersion;
}

/** The result of `initialize`. */
export function initializeResult(protocolVersion: SessionVersion, info: object): object {
  return { protocolVersion, capabilities, serverInfo: info };
}
