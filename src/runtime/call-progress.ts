/** Passes on what a call streams, and at its end what only its result contains: a quick call streams nothing. */

import type { RuntimeCall } from './runtime-types.ts';
import type { Stream, ToolResult } from './spec/result.ts';

export class CallProgress {
  readonly #onUpdate: RuntimeCall['onUpdate'];
  readonly #onOutput: RuntimeCall['onOutput'];
  #updates = 0;
  #out = 0;
  #err = 0;
  #lines = 0;

  constructor(onUpdate: RuntimeCall['onUpdate'], onOutput: RuntimeCall['onOutput']) {
    this.#onUpdate = onUpdate;
    this.#onOutput = onOutput;
  }

  take({ updates, out, err, log }: Pick<Stream, 'updates' | 'out' | 'err' | 'log'>): void {
    for (const update of updates) {
      if (update.n < this.#updates) continue;
      this.#updates = update.n + 1;
      this.#onUpdate?.(update);
    }
    this.#out += out.length;
    this.#err += err.length;
    this.#lines += log.length;
    if (out !== '' || err !== '' || log.length > 0) this.#onOutput?.({ out, err, log });
  }

  end({ updates, stdout, stderr, log }: ToolResult): void {
    const out = stdout.slice(this.#out);
    const err = stderr.slice(this.#err);
    this.take({ updates, out, err, log: log.slice(this.#lines) });
  }
}
