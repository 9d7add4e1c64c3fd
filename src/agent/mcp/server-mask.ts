/** Masks the keys of a server, which the server may repeat in what it sends. */

import { outputMask, type OutputMask } from '../../runtime/call/output-mask.ts';
import { textResult } from '../../runtime/call/results.ts';
import { secretParts } from '../../runtime/grants/secret-parts.ts';
import { SecretMask } from '../../runtime/spec/secret-mask.ts';
import type { ContentPart } from '../../runtime/spec/result.ts';
import { serverSecrets } from './server-link.ts';
import type { ServerKeys } from './stored-server.ts';

/**
 * Creates the mask for the output of one call.
 * @param keys returns the keys, which may change while the call runs
 */
export function serverOutputMask(keys: () => ServerKeys): OutputMask {
  return outputMask(() => secretsOf(keys()));
}

export function maskText(text: string, keys: ServerKeys): string {
  return new SecretMask(secretsOf(keys)).text(text);
}

export async function maskParts(
  content: readonly ContentPart[],
  keys: ServerKeys,
): Promise<readonly ContentPart[]> {
  const mask = serverOutputMask(() => keys);
  return (await mask.result({ ...textResult(''), content })).content;
}

/** Returns the texts to mask, the longest first. */
function secretsOf(keys: ServerKeys): readonly string[] {
  return serverSecrets(keys)
    .flatMap(secretParts)
    .toSorted((a, b) => b.length - a.length);
}
