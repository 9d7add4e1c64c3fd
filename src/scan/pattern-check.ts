/** Finds regular expressions in a JSON Schema that JavaScript cannot parse. */

import { isObject } from '../spec/guards.ts';
import type { JsonObject } from '../spec/json.ts';
import { schemaNodes } from '../spec/schema-walk.ts';
import type { Pacer } from '../async/pace.ts';

export interface PatternFault {
  /** Keys from the root schema to the pattern. */
  readonly path: readonly string[];
  readonly pattern: string;
}

/** Checks every `pattern` and every key of `patternProperties`. Returns at most `most` faults. */
export async function patternFaults(
  root: JsonObject,
  most: number,
  pacer: Pacer,
): Promise<PatternFault[]> {
  const faults: PatternFault[] = [];
  for (const { schema, path } of schemaNodes(root)) {
    if (pacer.mustRest()) await pacer.rest();
    const { pattern, patternProperties } = schema;
    const found = isObject(patternProperties) ? Object.keys(patternProperties) : [];
    if (typeof pattern === 'string') found.unshift(pattern);
    for (const one of found) {
      if (isReadablePattern(one)) continue;
      const keys = one === pattern ? ['pattern'] : ['patternProperties', one];
      faults.push({ path: [...path, ...keys], pattern: one });
      if (faults.length >= most) return faults;
    }
  }
  return faults;
}

/** Whether the argument check can use the pattern. */
function isReadablePattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}
