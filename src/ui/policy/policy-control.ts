/** What the page is given of grants: the open folder's policy, the questions that wait, the requests that were made. */

import type { Policies } from '../../grants/policies.ts';
import type { Questions } from '../../grants/questions.ts';
import type { RequestLog } from '../../grants/request-log.ts';

export interface PolicyControl {
  readonly policies: Policies;
  readonly questions: Questions;
  readonly requests: RequestLog;
  /** Looks for newer versions of the open folder's packages. */
  renewPackages(): Promise<void>;
}
