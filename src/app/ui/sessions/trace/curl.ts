/** A recorded request as a command for a shell. Its key is a placeholder, since it was not recorded. */

import type { ModelExchange } from '../../../../runtime/spec/model.ts';

/** Headers that a browser adds, and curl adds in its own way. */
const left = /^(content-length|host|connection|user-agent)$/i;

export function curlOf({ method, url, headers, body }: ModelExchange): string {
  return [
    `curl ${quoted(url)}`,
    `-X ${/^[A-Z]+$/.test(method) ? method : 'POST'}`,
    ...headers
      .filter(([name]) => !left.test(name))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** Quotes a text for POSIX shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
