/** What the parts of the composition need of the page. */

import type { Database } from '../platform/db.ts';
import type { Limits } from '../spec/limits.ts';

export interface PageDeps {
  /** Address of the app, with a trailing slash. */
  readonly base: URL;
  readonly window: Window;
  /** Undefined if the page was loaded over plain HTTP. */
  readonly storage: StorageManager | undefined;
  readonly limits: Limits;
  readonly database: () => Promise<Database>;
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}
