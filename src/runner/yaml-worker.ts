/** What the worker that reads and changes YAML does. */

import type * as edits from './edit-plan.ts';
import type { parseYaml, yamlLines } from './parse-yaml.ts';

/** Changes of the text of a plan. */
export type PlanEdits = Pick<
  typeof edits,
  'planText' | 'withMovedTask' | 'withoutTask' | 'withTask' | 'withTaskId' | 'withValue'
>;

export interface YamlWorker extends PlanEdits {
  readonly parse: typeof parseYaml;
  readonly lines: typeof yamlLines;
}
