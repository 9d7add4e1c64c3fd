/** The page that gets the response of an authorization server, and passes it on to the page that waits for it. */

import { openChannel } from '../../runtime/async/channel.ts';
import { asFields, parseJson } from '../../runtime/spec/guards.ts';
import type { SignInCode } from '../../runtime/protocol/mcp.ts';

export type SignInResponse = SignInCode | { readonly error: string };

export interface SignInPage {
  readonly redirectUrl: string;
  /** The address of the document that describes Cloche to authorization servers, if the site has one. */
  clientUrl(): Promise<string | null>;
  /** Waits for the response to the sign-in with this state. */
  listen(signal: AbortSignal, state: string, then: (response: SignInResponse) => void): void;
}

const maxChars = 8_000;
const maxError = 500;

export function signInPage(base: URL): SignInPage {
  const redirectUrl = new URL('sign-in.html', base).href;
  return {
    redirectUrl,
    clientUrl: async () => {
      const url = new URL('oauth-client.json', base).href;
      if (!url.startsWith('https:')) return null;
      const response = await fetch(url, { credentials: 'omit', redirect: 'error' }).catch(
        () => null,
      );
      if (response?.ok !== true) return null;
      const { client_id, redirect_uris } = asFields(parseJson(await response.text()));
      const isOurs = client_id === url && Array.isArray(redirect_uris);
      return isOurs && redirect_uris.includes(redirectUrl) ? url : null;
    },
    listen: (signal, state, then) => {
      const channel = openChannel(`cloche:${base.pathname}:sign-in`);
      signal.addEventListener('abort', () => channel?.close());
      channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const response = responseOf(data, state);
        if (response !== null && !signal.aborted) then(response);
      });
    },
  };
}

/** @returns null if it is the response to another sign-in */
export function responseOf(data: unknown, state: string): SignInResponse | null {
  const { state: given, code, iss, error, error_description: words } = asFields(data);
  // @mutant a response without the state of the sign-in is ignored => never
  //   [src/agent/mcp/sign-in.test.ts]
  if (given !== state) return null;
  if (typeof error === 'string') {
    const text = typeof words === 'string' ? `${error}: ${words}` : error;
    return { error: text.slice(0, maxError) };
  }
  if (typeof code !== 'string' || code.length > maxChars) return { error: 'it has no code' };
  return { code, iss: typeof iss === 'string' ? iss : null };
}
