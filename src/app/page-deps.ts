/** What every part of the composition may need of the page. */

import type { Database } from '../platform/db.ts';
import type { Limits } from '../spec/limits.ts';

export interface PageDeps {
  /** Address of the app, with a slash at the end. */
  readonly base: URL;
  readonly window: Window;
  /** Undefined where the page came over plain HTTP. */
  readonly storage: StorageManager | undefined;
  readonly limits: Limits;
  readonly database: () => Promise<Database>;
  readonly onStorageFailure: (thrown: unknown) => void;
  /** Receives what listeners throw. */
  readonly report: (thrown: unknown) => void;
}
