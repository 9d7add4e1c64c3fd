/** Reads answers of the API, and writes its addresses. */

import { ClocheError } from './client-error.ts';
import type { ClientRequest, ClientResponse } from './transport.ts';

/** Sends requests; its answers are streams, or JSON. */
export interface Requests {
  request(request: ClientRequest): Promise<ClientResponse>;
  json<T>(request: ClientRequest): Promise<T>;
}

/** The JSON of an answer. @throws {ClocheError} if it is a problem, or no JSON */
export async function read<T>({ status, headers, body }: ClientResponse): Promise<T> {
  const text = await new Response(body).text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ClocheError(
      'bad-answer',
      `Cloche’s API did not answer, but something else did, with status ${String(status)}.`,
      'Open the Cloche page once, so that its service worker is installed.',
      status,
    );
  }
  const type = headers.get('content-type') ?? '';
  if (status >= 400 || type.includes('problem+json')) throw createProblem(json, status);
  return json as T;
}

export function createProblem(json: unknown, status: number): ClocheError {
  const { code, detail, hint } = (json ?? {}) as Record<string, unknown>;
  const textOr = (value: unknown, other: string): string =>
    typeof value === 'string' ? value : other;
  return new ClocheError(
    textOr(code, 'failed'),
    textOr(detail, 'The request failed.'),
    textOr(hint, ''),
    status,
  );
}

export function encodeSegment(name: string): string {
  return encodeURIComponent(name).replaceAll('%3A', ':');
}

export function encodeQuery(parameters: Readonly<Record<string, string | undefined>>): string {
  const present = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(present as [string, string][]).toString();
  return text === '' ? '' : `?${text}`;
}
