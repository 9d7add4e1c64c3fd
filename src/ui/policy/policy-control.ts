/** What the page needs for policies: the folder's policy, pending questions, and the request log. */

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
