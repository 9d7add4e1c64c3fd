/** Turns the provider address that the user enters into the base URL of its API. */

import { ToolError } from '../../runtime/spec/error.ts';
import type { HttpKind, ProviderKind } from '../../runtime/spec/model.ts';

/** Empty for kinds without a default. */
export const defaultUrls: Readonly<Record<HttpKind, string>> = {
  'openai-responses': 'https://api.openai.com/v1',
  'openai-chat': 'https://api.openai.com/v1',
  'openai-compatible': '',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
};

/**
 * Returns the base URL without a trailing slash, or an empty string for the kind's default.
 *
 * @throws {ToolError} `bad-input`
 */
export function baseUrlOf(kind: ProviderKind, entered: string): string {
  if (kind === 'browser' || kind === 'replay' || kind === 'extension') return '';
  const text = entered.trim();
  if (text === '') {
    if (defaultUrls[kind] !== '') return '';
    throw badAddressError(
      'The base URL is missing.',
      'Enter one, such as http://localhost:11434/v1.',
    );
  }
  const url = parseAddress(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badAddressError(
      `${url.protocol} is neither http: nor https:.`,
      'Enter a web address that starts with http:// or https://.',
    );
  if (url.username !== '' || url.password !== '')
    throw badAddressError(
      'The base URL must not contain a user name or password.',
      'Enter the key in its own field, or as a header.',
    );
  // A key in the query would be visible in the settings.
  if (url.search !== '' || url.hash !== '')
    throw badAddressError(
      'The base URL must not contain ? or #.',
      'Remove them and everything after them.',
    );
  const path = url.pathname
    .replace(/\/+$/, '')
    .replace(/\/(chat\/completions|completions|responses|messages|models)$/, '');
  const whole = path === '' && kind === 'openai-compatible' ? '/v1' : path;
  const base = `${url.origin}${whole}`;
  return base === defaultUrls[kind] ? '' : base;
}

/** Parses an address. Without a scheme, local hosts use http, and others https. */
function parseAddress(text: string): URL {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const isLocal = /^(localhost|\[::1\]|(127|10|192\.168)(\.\d+){1,3})(?![^:/])/i.test(text);
  const url = URL.parse(scheme ? text : `${isLocal ? 'http' : 'https'}://${text}`);
  if (url !== null) return url;
  throw badAddressError(
    `${text.slice(0, 200)} is not a web address.`,
    'Enter one, such as https://example.com/v1.',
  );
}

function badAddressError(message: string, hint: string): ToolError {
  return new ToolError('bad-input', message, hint);
}
