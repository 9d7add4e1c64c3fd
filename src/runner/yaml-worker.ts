/** What the worker that reads and changes YAML does. */

import type * as edits from './edit-plan.ts';
import type { parseYaml, yamlLines } from './parse-yaml.ts';

type Edits = Pick<
  typeof edits,
  'planText' | 'withMovedTask' | 'withoutTask' | 'withTask' | 'withTaskId' | 'withValue'
>;

/** Changes of the text of a plan. They reject if the text is neither JSON nor YAML, or takes too long. */
export type PlanEdits = {
  readonly [Edit in keyof Edits]: (
    ...asked: Parameters<Edits[Edit]>
  ) => Promise<ReturnType<Edits[Edit]>>;
};

export interface YamlWorker extends Edits {
  readonly parse: typeof parseYaml;
  readonly lines: typeof yamlLines;
}
