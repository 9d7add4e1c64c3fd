/** Masks the keys of a server, which the server may repeat in what it sends. */

import { outputMask, type OutputMask } from '../../runtime/call/output-mask.ts';
import { textResult } from '../../runtime/call/results.ts';
import { secretParts } from '../../runtime/grants/secret-parts.ts';
import type { ContentPart } from '../../runtime/spec/result.ts';
import { SecretMask } from '../../runtime/spec/secret-mask.ts';
import { serverSecrets } from './server-link.ts';
import type { ServerKeys } from './stored-server.ts';

export class ServerMask {
  readonly #keys: () => ServerKeys;

  /** @param keys returns the keys that are known now */
  constructor(keys: () => ServerKeys) {
    this.#keys = keys;
  }

  /** Returns a mask for the output of one call. */
  output(): OutputMask {
    return outputMask(() => this.#secrets);
  }

  text(text: string): string {
    return new SecretMask(this.#secrets.sort((a, b) => b.length - a.length)).text(text);
  }

  async parts(content: readonly ContentPart[]): Promise<readonly ContentPart[]> {
    return (await this.output().result({ ...textResult(''), content })).content;
  }

  get #secrets(): string[] {
    return serverSecrets(this.#keys()).flatMap(secretParts);
  }
}
