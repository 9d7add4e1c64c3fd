/** Leads the user through signing in to a server, step by step. */

import type { Answer, SignInCode, SignInRequest, SignedIn } from '../../runtime/protocol/mcp.ts';
import { requestTarget } from '../../runtime/grants/request-parts.ts';
import { serverFaultText } from './server-fault-text.ts';
import type { ServerLink } from './server-link.ts';
import type { SignInPage } from './sign-in-page.ts';

export type SignInView =
  | { readonly step: 'looking' }
  /** The user confirms that the origin may be contacted. */
  | { readonly step: 'confirm'; readonly origin: string }
  /** The user opens the page of the authorization server. */
  | { readonly step: 'open'; readonly url: string }
  | { readonly step: 'failed'; readonly why: string };

/** A client that the user has registered. */
export type TypedClient = SignInRequest['client'];

/** Limit of origins of an authorization server. */
const maxOrigins = 4;

export interface ServerSignInDeps {
  readonly link: ServerLink;
  readonly url: string;
  readonly page: SignInPage;
  readonly changed: () => void;
  readonly done: (signedIn: SignedIn) => void;
}

export class ServerSignIn {
  readonly #deps: ServerSignInDeps;
  readonly #stop = new AbortController();
  readonly #client: TypedClient;
  /** OAuth's `state`, by which the response to this sign-in is recognised. */
  readonly #state = crypto.randomUUID();
  /** Address of the document that describes Cloche as a client; null if the site has none. */
  #clientUrl: string | null = null;
  /** The origins that the user has confirmed. */
  #origins: readonly string[] = [];
  #view: SignInView = { step: 'looking' };

  constructor(client: TypedClient, deps: ServerSignInDeps) {
    this.#client = client;
    this.#deps = deps;
  }

  get view(): SignInView {
    return this.#view;
  }

  async begin(): Promise<void> {
    this.#clientUrl = await this.#deps.page.clientUrl();
    await this.#next();
  }

  /** The user has confirmed the origin that is shown. */
  async confirm(): Promise<void> {
    if (this.#view.step !== 'confirm') return;
    this.#origins = [...this.#origins, this.#view.origin];
    await this.#next();
  }

  cancel(): void {
    this.#stop.abort();
  }

  /** Finds out what the user has to do next, and shows it. */
  async #next(): Promise<void> {
    const { link, url, page } = this.#deps;
    this.#show({ step: 'looking' });
    const step = await this.#request((signal) =>
      link.signIn(signal, {
        url,
        origins: this.#origins,
        redirectUrl: page.redirectUrl,
        clientUrl: this.#clientUrl,
        client: this.#client,
        state: this.#state,
      }),
    );
    if (step === null) return;
    if (step.step === 'confirm') {
      const why =
        this.#origins.length >= maxOrigins
          ? 'too many addresses'
          : reasonAgainstOrigin(step.origin, url, new URL(page.redirectUrl).origin);
      if (why === null) this.#show(step);
      else this.#fail(`It asks to sign in at ${step.origin}: ${why}.`);
      return;
    }
    page.listen(this.#stop.signal, this.#state, (response) => {
      // A response that arrives twice, as when its page is loaded again, has a code that is used up.
      if (this.#view.step !== 'open') return;
      if ('error' in response) this.#fail(`The sign-in was refused: ${response.error}`);
      else void this.#finish(response);
    });
    this.#show(step);
  }

  async #finish(code: SignInCode): Promise<void> {
    this.#show({ step: 'looking' });
    const finished = await this.#request((signal) => this.#deps.link.finishSignIn(signal, code));
    if (finished === null) return;
    this.#stop.abort();
    this.#deps.done(finished.access);
  }

  /** Asks the worker of the server. @returns null if the sign-in was cancelled, or has failed, which is shown then */
  async #request<T>(ask: (signal: AbortSignal) => Promise<Answer<T>>): Promise<T | null> {
    const { signal } = this.#stop;
    const answer = await ask(signal).catch(() => null);
    if (answer === null || signal.aborted) return null;
    if (answer.ok) return answer.value;
    this.#fail(serverFaultText(answer.fault, this.#deps.url));
    return null;
  }

  #fail(why: string): void {
    this.#stop.abort();
    this.#show({ step: 'failed', why });
  }

  #show(view: SignInView): void {
    this.#view = view;
    this.#deps.changed();
  }
}

/** Why an origin may not be contacted, even if the user confirms it; null if it may. */
export function reasonAgainstOrigin(
  origin: string,
  server: string,
  pageOrigin: string,
): string | null {
  const target = requestTarget(origin, pageOrigin);
  if ('why' in target) return target.why;
  const own = requestTarget(server, pageOrigin);
  // @mutant only servers on this computer or network name local authorization servers => never
  //   [src/agent/mcp/sign-in.test.ts]
  if (target.local && !('local' in own && own.local)) return 'it is a local address';
  return origin.startsWith('http:') && !target.local ? 'the connection is not encrypted' : null;
}
