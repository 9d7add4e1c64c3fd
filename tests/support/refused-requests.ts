/** Requests that the page must refuse (docs/decisions/attacks.md rows 12 and 13): passed to `net:bridge`, without any library. */

/** The fields of a question that differ from an ordinary `GET`. */
export interface BridgeRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
}

/**
 * Row 12: refused without asking the user.
 * @param app address of the app
 * @param granted an origin that is granted
 */
export function refusedAddresses(app: string, granted: string): string[] {
  const { host, hostname, port } = new URL(granted);
  const own = new URL(app);
  const local = [
    '127.0.0.1',
    '127.1',
    '0177.0.0.1',
    '0',
    '2130706433',
    '0x7f000001',
    '１２７.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    'localhost',
    'LOCALHOST',
    'any.localhost',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '169.254.169.254',
  ];
  return [
    `${app}api/tools`,
    `HTTP://LOCALHOST:${own.port}/api/tools`,
    `http://127.0.0.1:${own.port}/api/tools`,
    ...local.map((name) => `http://${name}:${port}/`),
    `http://user:secret@${host}/`,
    `http://user@${host}/`,
    `http://:secret@${host}/`,
    `http://${hostname}.:${port}/`,
    `ws://${host}/`,
    `ftp://${host}/`,
    'file:///etc/passwd',
    'blob:null/x',
    `blob:${own.origin}/x`,
    'data:text/plain,x',
    'javascript:1',
    'about:blank',
  ];
}

/** Rows 12 and 13: what a browser would mend, so that another address would be sent than was asked for. */
export function unclearAddresses(granted: string): string[] {
  const { host, hostname, port } = new URL(granted);
  return [
    '',
    '/x',
    `//${host}/`,
    ` http://${host}/`,
    `http:\\\\${host}\\`,
    `http://${host}\\@elsewhere.glass.example/`,
    `http://${hostname.replace('.', '.\t')}:${port}/`,
    `http://${host}/\r\nX-Injected: 1`,
    `http://${host}/ HTTP/1.1\r\nHost: elsewhere.glass.example\r\n\r\n`,
    `http://${host}/${'x'.repeat(9_000)}`,
  ];
}

/** Row 12: similar to what is granted, but different: the user is asked about each. */
export function neighbours(granted: string): string[] {
  const { host, hostname } = new URL(granted);
  return [
    `http://${hostname}:1/`,
    `https://${host}/`,
    `http://x.${host}/`,
    `http://${host.replace('.example', '.example.example')}/`,
    // The first letter is Cyrillic.
    `http://${host.replace('a', 'а')}/`,
  ];
}

/** Row 13: methods, headers and bodies that are refused, to an address that is granted. */
export function refusedRequests(url: string): BridgeRequest[] {
  const methods = [
    'TRACE',
    'trace',
    'TRACK',
    'CONNECT',
    '',
    'GET\r\nX-Injected: 1',
    'GET / HTTP/1.1',
  ];
  const headers: BridgeRequest['headers'] = [
    ['Authorization', 'Bearer forged'],
    ['aUTHORIZATION', 'Bearer forged'],
    ['X-A', 'a\r\nX-Injected: 1'],
    ['X-A', 'a\nb'],
    ['X-A', 'a\0b'],
    ['X-A', 'ā'],
    ['X-A: 1\r\nX-Injected', '1'],
    ['X A', '1'],
    ['', '1'],
    ['X-A', 'x'.repeat(40_000)],
  ];
  return [
    ...methods.map((method) => ({ url, method })),
    ...headers.map((header) => ({ url, headers: [header] })),
    { url, headers: Array.from({ length: 1_000 }, (_, n) => [`X-${n}`, '1'] as const) },
    { url, body: btoa('x') },
    { url, method: 'POST', body: 'no base64!' },
  ];
}

/** Row 13: headers that are the browser's own, each with a value that must not arrive. */
export function forgedHeaders(): [name: string, value: string][] {
  const names = [
    'Host',
    'Cookie',
    'cookie2',
    'Origin',
    'Referer',
    'User-Agent',
    'Via',
    'Connection',
    'Content-Length',
    'Transfer-Encoding',
    'Upgrade',
    'Access-Control-Request-Method',
    'Sec-Fetch-Site',
    'SEC-ANY',
    'Proxy-Authorization',
    'proxy-any',
  ];
  return names.map((name) => [name, 'forged']);
}
