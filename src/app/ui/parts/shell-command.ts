/** Builds commands for POSIX shells, as texts to copy. */

/** Headers that curl sets itself. */
const setByCurl = /^(content-length|host|connection|user-agent)$/i;

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null if the request has none. */
  readonly body: string | null;
}

export function curlCommand({ method, url, headers, body }: CurlRequest): string {
  return [
    `curl -X ${/^[A-Z]+$/.test(method) ? method : 'POST'} ${quoteWord(url)}`,
    ...headers
      .filter(([name]) => !setByCurl.test(name))
      .map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoteWord(body)}`]),
  ].join(' \\\n  ');
}

/** Returns a word of a command, in quotes if it needs them. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
