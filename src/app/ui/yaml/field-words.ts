/** Ids of the fields above a YAML text. */

import type { ValuePath } from '../../../runtime/protocol/yaml.ts';

/** Id of the list of problems of a text. */
export const problemsId = 'yaml-problems';

/** Id of the field of a value. */
export function fieldId(path: ValuePath): string {
  return `yaml-${path.join('-')}`;
}
