/** The app over https, with the document that describes it to authorization servers. Nobody has signed its certificate. */

import { generateKeyPairSync, sign } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface SecureSite {
  readonly url: string;
  /** The address of the document. */
  readonly clientUrl: string;
  close(): Promise<void>;
}

/** @param app the address of the app over http, from which all other files come */
export async function startSecureSite(app: string): Promise<SecureSite> {
  const server = createServer(certificate(), (request, response) => {
    if (request.url === '/oauth-client.json') {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(clientDocument(clientUrl)));
      return;
    }
    const { method, headers } = request;
    const passed = httpRequest(new URL(request.url ?? '/', app), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  const clientUrl = new URL('oauth-client.json', url).href;
  return {
    url,
    clientUrl,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reads a JSON document from the site, as an authorization server does. */
export function readFromSite(url: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { rejectUnauthorized: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('end', () => resolve(JSON.parse(text) as unknown));
    });
    asked.on('error', reject);
  });
}

/** The document of docs/deploy.md. */
function clientDocument(address: string): object {
  return {
    client_id: address,
    client_name: 'Cloche',
    redirect_uris: [new URL('sign-in.html', address).href],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/** A key, and the shortest certificate for it. */
function certificate(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const hex = (text: string): Buffer => Buffer.from(text, 'hex');
  const ecdsaWithSha256 = hex('300a06082a8648ce3d040302');
  const commonName = der(0x30, hex('0603550403'), der(0x0c, Buffer.from('localhost')));
  const name = der(0x30, der(0x31, commonName));
  const times = ['250101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time)));
  const signed = der(
    0x30,
    hex('a003020102020101'),
    ecdsaWithSha256,
    name,
    der(0x30, ...times),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, hex('00'), sign('sha256', signed, privateKey));
  const whole = der(0x30, signed, ecdsaWithSha256, signature);
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** An element of DER with a tag. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  const size = length < 128 ? [length] : long;
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
