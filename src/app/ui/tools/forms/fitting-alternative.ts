/** Finds the alternative that fits an argument's value best, with a limit on the cost. */

import { Budget } from '../../../../runtime/async/pace.ts';
import type { FormSchema, Shape } from './form-schema.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import { type ArrayValue, isOfType, isSame, type JsonValue, parseValue } from './json-value.ts';

/**
 * Maximum number of nested alternatives that are compared with a value, because they multiply at
 * each level.
 */
const maxInner = 50;
const maxProperties = 50;
const maxItems = 5;
/** Most listed values that are compared for one value. A longer list counts as if it had the value. */
const maxListed = 20_000;

/** Returns whether a value is of a type that the schema allows, and one of its choices. */
export function fits(text: JsonText, shape: Shape): boolean {
  const value = parseValue(text);
  if (value === null || !isOfType(value, shape.types)) return false;
  const { choices } = shape;
  if (choices !== null && !choices.some((each) => isSame(value, each.text))) return false;
  const branches = shape.branches?.() ?? [];
  return branches.length === 0 || branches.some((branch) => isOfType(value, branch.types));
}

/** The index of the alternative that fits a value best. Matching constants count most. */
export function branchOf(
  schema: FormSchema,
  branches: readonly Shape[],
  value: JsonValue | undefined,
): number {
  if (value === undefined) return 0;
  const costs: Costs = { inner: new Budget(maxInner), listed: new Budget(maxListed) };
  let best = 0;
  let max = -Infinity;
  for (const [index, branch] of branches.entries()) {
    const score = scoreOf(schema, branch, value, costs);
    if (score > max) [best, max] = [index, score];
  }
  return best;
}

/** What may still be compared for one value: nested alternatives, and listed values. */
interface Costs {
  readonly inner: Budget;
  readonly listed: Budget;
}

/**
 * How well a value fits a shape; scores are only compared with each other. A value of another type, or one that is not
 * listed, fits worse than any object whose members do not fit. A matching constant counts more than all usual members,
 * and a different constant counts against the alternative more than anything else in it.
 */
function scoreOf(schema: FormSchema, shape: Shape, value: JsonValue, costs: Costs): number {
  if (shape.branches !== null && costs.inner.take(10))
    return Math.max(
      ...shape
        .branches()
        .slice(0, 10)
        .map((branch) => scoreOf(schema, branch, value, costs)),
    );
  if (!isOfType(value, shape.types)) return -1_000;
  if (shape.choices !== null) return isListed(shape, value, costs) ? 20 : -500;
  if (value.kind === 'array')
    return (shape.types === null ? 0 : 1) + itemsScore(schema, shape, value, costs);
  if (value.kind !== 'object') return shape.types === null ? 0 : 1;
  let score = shape.types === null ? 0 : 1;
  for (const name of shape.required) score += value.members.has(name) ? 1 : -2;
  for (const [name, member] of [...value.members].slice(0, maxProperties)) {
    const declared = schema.memberSchema(shape, name);
    const declaredShape = schema.shape(declared);
    const isExtra = !shape.properties.has(name);
    if (declared === false) score -= 3;
    // A constant identifies an alternative only under a name that the alternative declares.
    else if (declaredShape.choices !== null && isListed(declaredShape, member, costs))
      score += isExtra ? 1 : 20;
    else if (declaredShape.choices !== null)
      score -= declaredShape.choices.length === 1 && !isExtra ? 100 : 5;
    else if (!isOfType(member, declaredShape.types)) score -= 2;
    else score += isExtra && declaredShape.types === null ? -0.5 : 1;
  }
  return score;
}

function itemsScore(schema: FormSchema, shape: Shape, value: ArrayValue, costs: Costs): number {
  let score = 0;
  for (const [index, item] of value.items.slice(0, maxItems).entries()) {
    const declared = schema.itemSchema(shape, index);
    const declaredShape = schema.shape(declared);
    const isMisfit =
      declaredShape.choices === null
        ? !isOfType(item, declaredShape.types)
        : !isListed(declaredShape, item, costs);
    if (declared === false || isMisfit) score -= 2;
    else if (declaredShape.types !== null || declaredShape.choices !== null) score += 1;
  }
  return score;
}

function isListed({ choices }: Shape, value: JsonValue, { listed }: Costs): boolean {
  if (choices === null) return false;
  if (!listed.take(choices.length)) return true;
  return choices.some(({ text }) => isSame(value, text));
}
