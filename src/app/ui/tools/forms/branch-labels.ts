/** Names the alternatives of a union in their chooser, so that no two look alike. */

import { asObject } from '../../../../runtime/spec/guards.ts';
import { memberOf } from '../page/schema-node.ts';
import { typeWords } from './field-control.ts';
import type { FormSchema, Shape } from './form-schema.ts';

const maxLabel = 80;
/** Properties in which a constant is searched. */
const maxProperties = 20;
/** Names and values that one label lists. */
const maxNames = 3;
const maxDescription = 60;

/** The labels of unions, which are read again with each change of a value. */
const known = new WeakMap<readonly Shape[], readonly string[]>();

/** The label of each alternative: its title, a constant or its type; those that are equal say how they differ. */
export function branchLabels(schema: FormSchema, branches: readonly Shape[]): readonly string[] {
  const labels = known.get(branches) ?? newLabels(schema, branches);
  known.set(branches, labels);
  return labels;
}

function newLabels(schema: FormSchema, branches: readonly Shape[]): readonly string[] {
  const typed = withDetails(branches.map(plainLabel), (at) => partsIn(schema, branches, at));
  const described = withDetails(typed, (at) =>
    (branches[at]?.description ?? '').slice(0, maxDescription),
  );
  const seen = new Map<string, number>();
  return described.map((label) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return isAlone(described, label) ? label : `${label} (${String(count)})`;
  });
}

/** Adds details to equal labels, unless the details are equal too. */
function withDetails(
  labels: readonly string[],
  detailOf: (at: number) => string,
): readonly string[] {
  const details = labels.map((label, at) => (isAlone(labels, label) ? '' : detailOf(at)));
  return labels.map((label, at) => {
    const detail = details[at] ?? '';
    const isShared = labels.every((each, other) => each !== label || details[other] === detail);
    return detail === '' || isShared ? label : `${label}: ${detail}`;
  });
}

function isAlone(labels: readonly string[], label: string): boolean {
  return labels.indexOf(label) === labels.lastIndexOf(label);
}

function plainLabel(shape: Shape, index: number): string {
  if (shape.title !== '') return shape.title.slice(0, maxLabel);
  const constant = constantOf(shape);
  if (constant !== '') return constant;
  return typeWords(shape) === '' ? `alternative ${String(index + 1)}` : typeWords(shape);
}

/** The constant that identifies an alternative, such as `kind = "a"`; empty if there is none. */
function constantOf(shape: Shape): string {
  if (shape.choices?.length === 1) return shape.choices[0]?.label ?? '';
  for (const [name, property] of [...shape.properties].slice(0, maxProperties)) {
    const schema = asObject(property);
    const listed = memberOf(schema, 'enum');
    const [only, ...others] = Array.isArray(listed) ? listed : [];
    const constant = memberOf(schema, 'const') ?? (others.length === 0 ? only : undefined);
    if (constant !== undefined) return `${name} = ${JSON.stringify(constant).slice(0, 40)}`;
  }
  return '';
}

/** The parts of a schema in which it differs from the other alternatives: choices, items or names. */
function partsIn(schema: FormSchema, branches: readonly Shape[], at: number): string {
  const shape = branches[at];
  if (shape === undefined) return '';
  if (shape.choices !== null) return listOf(shape.choices.map(({ label }) => label));
  if (shape.types?.[0] === 'array') return wordsOf(schema, schema.itemSchema(shape, 0));
  if (shape.types?.[0] !== 'object') return '';
  const others = branches.filter((_, index) => index !== at);
  const required = [...shape.required].filter(
    (name) => !others.every((one) => one.required.has(name)),
  );
  const declared = [...shape.properties.keys()].filter(
    (name) => !others.every((one) => one.properties.has(name)),
  );
  const names = required.length > 0 ? required : declared;
  return names.length > 0 ? listOf(names) : wordsOf(schema, shape.additional);
}

function wordsOf(schema: FormSchema, inner: Shape['additional']): string {
  const shape = schema.shape(inner);
  return shape.title === '' ? typeWords(shape) : shape.title.slice(0, maxLabel);
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).join(', ').slice(0, maxLabel);
  return names.length > maxNames ? `${shown}, …` : shown;
}
