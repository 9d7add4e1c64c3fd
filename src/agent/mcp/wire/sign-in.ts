/** Signs in to a server with OAuth. No origin is contacted, and no page opened, that the user has not confirmed. */

import {
  auth,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  refreshAuthorization,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type {
  RefreshedSignIn,
  SignInCode,
  SignInRequest,
  SignInStep,
  SignedIn,
} from '../../../runtime/protocol/mcp.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import { asFields, isObject, parseJson } from '../../../runtime/spec/guards.ts';
import { asText } from '../../../runtime/spec/lenient.ts';
import type { Note } from './leniency/reading.ts';
import { metadataAddress, readSignIn } from './leniency/sign-in.ts';
import { McpError } from './mcp-error.ts';
import { serverFetch, type Fetch } from './server-fetch.ts';

/** What the server has said about signing in, when it refused a request. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL;
  readonly scope?: string;
}

/**
 * Returns what a refusal says about signing in, or about scopes that the token lacks; null if it mentions neither.
 * @param requested scopes of the sign-in so far. Missing scopes are added to them, since new tokens replace the old ones.
 */
export function challengeOf(response: Response, requested: string): Challenge | null {
  const { status } = response;
  if (status !== 401 && status !== 403) return null;
  const { error, ...challenge } = extractWWWAuthenticateParams(response);
  if (status === 401) return challenge;
  if (error !== 'insufficient_scope') return null;
  const scopes = `${requested} ${challenge.scope ?? ''}`.split(' ').filter((scope) => scope !== '');
  if (scopes.length === 0) return challenge;
  return { ...challenge, scope: [...new Set(scopes)].join(' ') };
}

/** Limit of the stored part of a sign-in; characters. */
const maxState = 100_000;

/** The stored part of a sign-in. */
interface StoredSignIn {
  readonly client: StoredOAuthClientInformation;
  readonly tokens: StoredOAuthTokens;
  readonly discovery: OAuthDiscoveryState;
  /** Scopes that were asked for, separated by spaces; missing in sign-ins that an earlier version stored. */
  readonly scope?: string;
}

export class SignIn {
  readonly #request: SignInRequest;
  readonly #fetch: Fetch;
  readonly #challenge: Challenge;
  readonly #note: Note;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = '';
  #page: URL | null = null;
  #origins: readonly string[] = [];

  constructor(request: SignInRequest, fetch: Fetch, challenge: Challenge, note: Note) {
    this.#request = request;
    this.#fetch = fetch;
    this.#challenge = challenge;
    this.#note = note;
    const { client } = request;
    if (client !== null)
      this.#client = {
        client_id: client.id,
        ...(client.secret !== '' && { client_secret: client.secret }),
      };
  }

  get state(): string {
    return this.#request.state;
  }

  async begin(origins: readonly string[]): Promise<SignInStep> {
    this.#origins = origins;
    const missing: string[] = [];
    const known = [new URL(this.#request.url).origin, ...origins];
    try {
      await this.#run(null, (origin) => missing.push(origin));
    } catch (thrown) {
      if (missing.length === 0) throw thrown;
    }
    const [first] = missing;
    if (first !== undefined) return { step: 'confirm', origin: first };
    const metadata = this.#discovery?.authorizationServerMetadata;
    // @mutant signing in without PKCE is refused => never [src/agent/mcp/sign-in.test.ts]
    if (metadata?.code_challenge_methods_supported?.includes('S256') !== true)
      throw signInError('Its authorization server does not say that it supports PKCE with S256.');
    if (this.#page === null) throw signInError('Its authorization server has no sign-in page.');
    const next = [this.#page.href, metadata.token_endpoint].map((url) => new URL(url).origin);
    // @mutant each origin of an authorization server is confirmed => !known.includes(origin) -> false
    //   [src/agent/mcp/sign-in.test.ts]
    const other = next.find((origin) => !known.includes(origin));
    return other === undefined
      ? { step: 'open', url: this.#page.href }
      : { step: 'confirm', origin: other };
  }

  async finish(code: SignInCode): Promise<SignedIn> {
    // `begin` has had all origins confirmed, so a request to another one just fails.
    await this.#run(code, () => undefined);
    if (this.#client === undefined || this.#tokens === undefined || this.#discovery === undefined)
      throw signInError('Its authorization server did not send a token.');
    return toSignedIn(this.#origins, {
      client: this.#client,
      tokens: this.#tokens,
      discovery: this.#discovery,
      scope: this.#page?.searchParams.get('scope') ?? '',
    });
  }

  async #run(code: SignInCode | null, onMissing: (origin: string) => void): Promise<void> {
    const server = new URL(this.#request.url);
    const { scope } = this.#challenge;
    const fetchFn = signInFetch(this.#fetch, server, this.#origins, onMissing, this.#note);
    try {
      const resourceMetadataUrl = await this.#metadataUrl(server, fetchFn);
      await auth(this.#provider, {
        serverUrl: server,
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
        ...(code !== null && { authorizationCode: code.code }),
        ...(typeof code?.iss === 'string' && { iss: code.iss }),
        fetchFn,
      });
    } catch (thrown) {
      throw thrown instanceof McpError ? thrown : signInError(errorText(thrown));
    }
  }

  /** Returns the address of the metadata that a refusal names; undefined if the server's own metadata is used. The user has to confirm another origin. */
  async #metadataUrl(server: URL, fetchFn: SignInFetch): Promise<URL | undefined> {
    const named = metadataAddress(this.#challenge.resourceMetadataUrl, server);
    const isKnown = this.#discovery !== undefined;
    if (named === undefined || named.origin === server.origin || isKnown) return named;
    this.#note(`resource_metadata is at another origin, ${named.origin}.`);
    try {
      await discoverOAuthProtectedResourceMetadata(server, {}, fetchFn);
      return undefined;
    } catch {
      // Reports the origin as missing, so that the user confirms it: the library would continue without the metadata,
      // and treat the server itself as the authorization server.
      if (!this.#origins.includes(named.origin)) await fetchFn(named);
      return named;
    }
  }

  readonly #provider = this.#providerOf();

  #providerOf(): OAuthClientProvider {
    const request = (): SignInRequest => this.#request;
    const isTyped = (): boolean => this.#request.client !== null;
    return {
      get redirectUrl() {
        return request().redirectUrl;
      },
      get clientMetadataUrl() {
        return request().clientUrl ?? '';
      },
      get clientMetadata() {
        return {
          client_name: 'Cloche',
          redirect_uris: [request().redirectUrl],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        };
      },
      state: () => this.#request.state,
      clientInformation: (about) => {
        // The user has typed the id for this authorization server, and no other may get it.
        if (this.#client !== undefined && about !== undefined)
          this.#client = { issuer: about.issuer, ...this.#client };
        return this.#client;
      },
      saveClientInformation: (client) => {
        this.#client = client;
      },
      tokens: () => this.#tokens,
      saveTokens: (tokens) => {
        this.#tokens = tokens;
      },
      redirectToAuthorization: (page) => {
        this.#page = page;
      },
      saveCodeVerifier: (verifier) => {
        this.#verifier = verifier;
      },
      codeVerifier: () => this.#verifier,
      saveDiscoveryState: (discovery) => {
        this.#discovery = discovery;
      },
      discoveryState: () => this.#discovery,
      invalidateCredentials: (what) => {
        if (what === 'client' && !isTyped()) this.#client = undefined;
        if (what === 'tokens') this.#tokens = undefined;
      },
    };
  }
}

interface TokenListeners {
  readonly onRefreshed: (refreshed: RefreshedSignIn) => void;
  /** Called with a description when a server breaks a specification. */
  readonly note: Note;
}

/** The tokens of one connection. */
export class Tokens {
  readonly #fetch: Fetch;
  readonly #server: URL;
  readonly #origins: readonly string[];
  readonly #onRefreshed: (refreshed: RefreshedSignIn) => void;
  readonly #note: Note;
  /** {@link #stored} as the page has it. */
  #state: string;
  #stored: StoredSignIn | null;
  #refreshing: Promise<void> | null = null;

  constructor(
    fetch: Fetch,
    server: URL,
    { origins, state }: SignedIn,
    { onRefreshed, note }: TokenListeners,
  ) {
    this.#fetch = fetch;
    this.#note = note;
    this.#server = server;
    this.#origins = origins;
    this.#onRefreshed = onRefreshed;
    this.#state = state;
    const stored = parseJson(state);
    this.#stored = isStoredSignIn(stored) ? stored : null;
  }

  /** Scopes that were asked for, separated by spaces. */
  get scope(): string {
    const { scope } = asFields(this.#stored);
    return asText(scope);
  }

  token(): Promise<string | undefined> {
    return Promise.resolve(this.#stored?.tokens.access_token);
  }

  /** Refreshes the tokens after the server has refused one. */
  onUnauthorized(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  /** Ends the tokens at the authorization server, if it offers that (RFC 7009). @throws {Error} if it cannot be reached */
  async revoke(): Promise<void> {
    const stored = this.#stored;
    const { revocation_endpoint: endpoint } = asFields(
      stored?.discovery.authorizationServerMetadata,
    );
    if (stored === null || typeof endpoint !== 'string') return;
    const { client_id, client_secret } = asFields(stored.client);
    const send = this.#send();
    for (const kind of ['refresh_token', 'access_token'] as const) {
      const token = stored.tokens[kind];
      if (token === undefined) continue;
      const form = new URLSearchParams({ token, token_type_hint: kind });
      if (typeof client_id === 'string') form.set('client_id', client_id);
      if (typeof client_secret === 'string') form.set('client_secret', client_secret);
      const body = form.toString();
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      await send(endpoint, { method: 'POST', headers, body });
    }
  }

  #send(): SignInFetch {
    // The origins were confirmed at the sign-in, so a request to another one just fails.
    return signInFetch(this.#fetch, this.#server, this.#origins, () => undefined, this.#note);
  }

  async #refresh(): Promise<void> {
    const refreshToken = this.#stored?.tokens.refresh_token;
    if (this.#stored === null || refreshToken === undefined) throw expiredError();
    const { client, discovery } = this.#stored;
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = discovery;
    let tokens;
    try {
      tokens = await refreshAuthorization(authorizationServerUrl, {
        ...(authorizationServerMetadata !== undefined && { metadata: authorizationServerMetadata }),
        ...(resourceMetadata !== undefined && { resource: new URL(resourceMetadata.resource) }),
        clientInformation: client,
        refreshToken,
        fetchFn: this.#send(),
      });
    } catch (thrown) {
      // Offline, the sign-in has not ended.
      const cause = thrown instanceof Error ? thrown.cause : null;
      throw cause instanceof McpError ? cause : expiredError();
    }
    this.#stored = { ...this.#stored, tokens };
    const fresh = toSignedIn(this.#origins, this.#stored);
    this.#onRefreshed({ before: this.#state, signedIn: fresh });
    this.#state = fresh.state;
  }
}

type SignInFetch = ReturnType<typeof serverFetch>;

/**
 * Lets the client see failures of the network as browsers report them, since it tries again without its headers.
 * @param onMissing receives an origin that the user has not confirmed, to which a request was refused
 */
function signInFetch(
  fetch: Fetch,
  server: URL,
  others: readonly string[],
  onMissing: (origin: string) => void,
  note: Note,
): SignInFetch {
  const send = serverFetch(fetch, { server, headers: [], others }, ({ cause }, origin) => {
    if (cause === 'elsewhere') onMissing(origin);
  });
  return async (url, init) => {
    try {
      return await readSignIn(await send(url, init), init?.body, server, note);
    } catch (thrown) {
      if (!(thrown instanceof McpError) || thrown.fault.cause !== 'network') throw thrown;
      const { origin } = new URL(url);
      const words = `${origin} cannot be reached, or does not allow web pages (CORS). If the server gives out keys, enter one under Access.`;
      throw new TypeError(words, { cause: thrown });
    }
  };
}

function toSignedIn(origins: readonly string[], stored: StoredSignIn): SignedIn {
  const state = JSON.stringify(stored);
  if (state.length > maxState)
    throw signInError('Its authorization server sent more data than Cloche accepts.');
  const { access_token, refresh_token, id_token } = stored.tokens;
  const { client_secret } = asFields(stored.client);
  const secrets = [access_token, refresh_token, id_token, client_secret];
  return { origins, state, secrets: secrets.filter((one) => typeof one === 'string') };
}

function isStoredSignIn(value: unknown): value is StoredSignIn {
  const { client, tokens, discovery } = asFields(value);
  return (
    typeof asFields(client).client_id === 'string' &&
    typeof asFields(tokens).access_token === 'string' &&
    isObject(discovery) &&
    typeof discovery.authorizationServerUrl === 'string'
  );
}

function signInError(why: string): McpError {
  return new McpError('sign-in', `Signing in failed: ${why}`);
}

function expiredError(): McpError {
  return new McpError('sign-in', 'The sign-in has ended.', 401);
}
