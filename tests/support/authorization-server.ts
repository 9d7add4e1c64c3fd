/** A local authorization server that pages may use, and an MCP server's part in signing in. Its user always agrees. */

import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestServer } from './mcp-server.ts';

export interface AuthorizationServer {
  readonly origin: string;
  readonly habits: {
    registers: boolean;
    pkce: boolean;
    /** The audience of tokens; null: as the client has asked. */
    audience: string | null;
    /** The error that its page returns; null if the user agrees. */
    refuses: string | null;
    /** The issuer that its metadata and its responses name; null: its own origin. With an empty text, responses name none. */
    issuer: { metadata: string | null; response: string | null };
    /** Reads the document that describes a client by its address; null: it takes no such clients. */
    readClient: ((url: string) => Promise<unknown>) | null;
    /** Resolves when the answer to a refresh may be sent; null: at once. */
    refreshes: Promise<void> | null;
    /** The origin of the endpoint for tokens. */
    tokenOrigin: string;
    /** More documents that the server sends, by their paths. */
    documents: Readonly<Record<string, object>>;
    /** Serialises a response with tokens. If null, it is sent as JSON. */
    written: ((granted: object) => string) | null;
  };
  /** What its page was asked. */
  readonly asked: URLSearchParams[];
  /** Paths of requests, apart from those that ask whether they may be sent. */
  readonly received: string[];
  /** Access tokens that are valid, with their audience. */
  readonly tokens: Map<string, string>;
  /** Ends all access tokens; those that refresh them stay valid. */
  expire(): void;
  /** Ends all tokens. */
  revoke(): void;
  close(): Promise<void>;
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const clients = new Set<string>(['typed-client']);
  const codes = new Map<string, { challenge: string; client: string; resource: string }>();
  const refreshing = new Map<string, string>();
  const asked: URLSearchParams[] = [];
  const received: string[] = [];
  const tokens = new Map<string, string>();
  const habits: AuthorizationServer['habits'] = {
    registers: true,
    pkce: true,
    audience: null,
    refuses: null,
    issuer: { metadata: null, response: null },
    readClient: null,
    refreshes: null,
    tokenOrigin: '',
    documents: {},
    written: null,
  };
  const granted = (resource: string): object => {
    const access = `access-${randomUUID()}`;
    const refresh = `refresh-${randomUUID()}`;
    tokens.set(access, habits.audience ?? resource);
    refreshing.set(refresh, resource);
    return { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 };
  };
  const token = (form: URLSearchParams): object | null => {
    const refresh = form.get('refresh_token');
    if (form.get('grant_type') === 'refresh_token') {
      const resource = refreshing.get(refresh ?? '');
      refreshing.delete(refresh ?? '');
      return resource === undefined ? null : granted(resource);
    }
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256').update(form.get('code_verifier') ?? '');
    if (code?.challenge !== verifier.digest('base64url')) return null;
    return code.client === form.get('client_id') ? granted(code.resource) : null;
  };
  /** Whether the document at the address of a client describes it, with this redirect address. */
  const isDescribed = async (client: string, redirect: string): Promise<boolean> => {
    if (habits.readClient === null || !client.startsWith('https:')) return false;
    const { client_id, redirect_uris } = (await habits.readClient(client)) as {
      client_id?: unknown;
      redirect_uris?: unknown;
    };
    return client_id === client && Array.isArray(redirect_uris) && redirect_uris.includes(redirect);
  };
  const server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.setHeader('Access-Control-Allow-Headers', '*');
      if (request.method === 'OPTIONS') return void response.writeHead(204).end();
      const url = new URL(request.url ?? '/', origin);
      received.push(url.pathname);
      const json = (status: number, value: object): void => {
        response
          .writeHead(status, { 'Content-Type': 'application/json' })
          .end(JSON.stringify(value));
      };
      const { [url.pathname]: document } = habits.documents;
      if (document !== undefined) {
        json(200, document);
        return;
      }
      if (url.pathname === '/.well-known/oauth-authorization-server') {
        json(200, {
          issuer: habits.issuer.metadata ?? origin,
          authorization_endpoint: `${origin}/authorize`,
          revocation_endpoint: `${origin}/revoke`,
          token_endpoint: `${habits.tokenOrigin === '' ? origin : habits.tokenOrigin}/token`,
          ...(habits.readClient !== null && { client_id_metadata_document_supported: true }),
          ...(habits.registers && { registration_endpoint: `${origin}/register` }),
          response_types_supported: ['code'],
          authorization_response_iss_parameter_supported: true,
          ...(habits.pkce && { code_challenge_methods_supported: ['S256'] }),
        });
        return;
      }
      if (url.pathname === '/register' && habits.registers) {
        const id = randomUUID();
        clients.add(id);
        json(201, { ...(JSON.parse(body) as object), client_id: id });
        return;
      }
      if (url.pathname === '/authorize') {
        const query = url.searchParams;
        asked.push(query);
        const client = query.get('client_id') ?? '';
        const redirect = query.get('redirect_uri') ?? '';
        if (!clients.has(client) && !(await isDescribed(client, redirect))) {
          json(400, { error: 'invalid_client' });
          return;
        }
        const target = new URL(redirect);
        const code = randomUUID();
        target.searchParams.set('state', query.get('state') ?? '');
        const issuer = habits.issuer.response ?? origin;
        if (issuer !== '') target.searchParams.set('iss', issuer);
        if (habits.refuses !== null) target.searchParams.set('error', habits.refuses);
        else target.searchParams.set('code', code);
        codes.set(code, {
          client,
          challenge: query.get('code_challenge') ?? '',
          resource: query.get('resource') ?? '',
        });
        return void response.writeHead(302, { Location: target.href }).end();
      }
      if (url.pathname === '/revoke') {
        const token = new URLSearchParams(body).get('token') ?? '';
        tokens.delete(token);
        refreshing.delete(token);
        return void response.writeHead(200).end();
      }
      if (url.pathname === '/token') {
        const form = new URLSearchParams(body);
        const answer = token(form);
        if (form.get('grant_type') === 'refresh_token') await habits.refreshes;
        if (answer === null) json(400, { error: 'invalid_grant' });
        else if (habits.written === null) json(200, answer);
        else response.writeHead(200).end(habits.written(answer));
        return;
      }
      json(404, { error: 'not_found' });
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    habits,
    asked,
    received,
    tokens,
    expire: () => tokens.clear(),
    revoke: () => {
      tokens.clear();
      refreshing.clear();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Lets an MCP server accept only tokens of the authorization server that were issued for it. */
export function protect(
  server: TestServer,
  { origin, tokens }: AuthorizationServer,
  metadata: {
    readonly resource?: string;
    readonly authorization_servers?: readonly string[];
    readonly scopes_supported?: readonly string[];
  } = {},
): void {
  const path = '/.well-known/oauth-protected-resource/mcp';
  const at = new URL(path, server.url).href;
  server.habits.instead = ({ url, method, headers }, response) => {
    if (method === 'OPTIONS') return false;
    if (url === path) {
      const about = { resource: server.url, authorization_servers: [origin], ...metadata };
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(about));
      return true;
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    if (tokens.get(token) === server.url) return false;
    const challenge = `Bearer error="invalid_token", resource_metadata="${at}"`;
    response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    return true;
  };
}
