/** What the parts of the composition need of the page. */

import type { Database } from '../platform/db.ts';
import type { Limits } from '../spec/limits.ts';

export interface PageDeps {
  /** Address of the app, with a trailing slash. */
  readonly base: URL;
  readonly window: Window;
  /** Whether a page of another origin frames this one. Then nothing is stored or granted: docs/decisions/framing.md. */
  readonly framed: boolean;
  /** Undefined if the page was loaded over plain HTTP, or is framed. */
  readonly storage: StorageManager | undefined;
  readonly limits: Limits;
  readonly database: () => Promise<Database>;
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

export function newId(): string {
  return crypto.randomUUID();
}
