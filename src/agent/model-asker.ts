/** How models are asked: what the page's hands offer, and what providers ask with. */

import type { ProviderAccess } from '../protocol/models.ts';
import type { ListedModel, ModelPart, ModelRef, ModelRequest } from '../spec/model.ts';

export interface ModelAsker {
  /** @throws {ModelError} the signal's reason, where that aborted */
  ask(
    signal: AbortSignal,
    access: ProviderAccess,
    ref: ModelRef,
    request: ModelRequest,
  ): AsyncIterable<ModelPart>;
  /** @throws {ModelError} the signal's reason, where that aborted */
  list(signal: AbortSignal, access: ProviderAccess): Promise<readonly ListedModel[]>;
  /** Of this page: what providers have to allow. */
  readonly pageOrigin: string;
}
