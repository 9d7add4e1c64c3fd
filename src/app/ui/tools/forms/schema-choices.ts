/** Reads what a schema lists: the alternatives of unions, choices, constants, the default and examples. */

import type { Budget } from '../../../../runtime/async/pace.ts';
import {
  deeperThan,
  type Json,
  type JsonObject,
  type JsonText,
  moreThan,
} from '../../../../runtime/spec/json.ts';
import { exactMember } from '../../../../runtime/spec/exact-json.ts';
import { isObject } from '../../../../runtime/spec/guards.ts';
import { memberOf } from '../page/schema-node.ts';
import { isNever } from './schema-properties.ts';

export interface Choice {
  readonly text: JsonText;
  readonly label: string;
}

const maxChoices = 10_000;
const maxExamples = 5;
/** Limits of a default or example. */
const maxValues = 2_000;
const deepest = 32;
const maxLabel = 200;
/** Keywords that name the values of `enum`. */
const nameKeywords = ['enumNames', 'x-enumNames', 'x-enum-varnames'] as const;

/** Keywords beside a union that change nothing about its alternatives. Of defaults, that of the whole field counts. */
const aside = /^(?:default|examples?|deprecated|\$comment|discriminator|xml|x-.*)$/;

/**
 * Lists the alternatives of a union. An alternative that is only another `anyOf` or `oneOf` is replaced by that union's alternatives:
 * the user then makes one choice instead of several, in which null is offered once.
 * @param max limit of the listed alternatives
 */
export function alternativesOf(union: readonly Json[], max: number): readonly Json[] {
  const found: Json[] = [];
  const waiting = union.slice(0, max).reverse();
  while (waiting.length > 0 && found.length < max) {
    const next = waiting.pop() ?? null;
    const inner = innerUnion(next);
    if (inner !== null) waiting.push(...inner.slice(0, max).reverse());
    else if (!isNull(next) || !found.some(isNull)) found.push(next);
  }
  // Some programs write `{"not": {}}` for a value that may be left out.
  const possible = found.filter((each) => !isNever(each));
  return possible.length === 0 ? found : possible;
}

export function choicesOf(parts: readonly JsonObject[], budget: Budget): readonly Choice[] | null {
  let shown: readonly Choice[] | null = null;
  for (const part of parts) {
    const constant = exactMember(part, 'const');
    const listed = constant === undefined ? memberOf(part, 'enum') : [];
    if (!Array.isArray(listed)) continue;
    const texts = constant === undefined ? textsIn(listed, maxChoices, budget) : [constant];
    const named = nameKeywords.map((key) => memberOf(part, key));
    const labels = named.find((names) => Array.isArray(names)) ?? [];
    const choices = withoutRepeated(texts.map((text, index) => choice(text, labels[index])));
    shown = shown === null ? choices : withBoth(shown, choices);
  }
  // If all choices are strings, quotes are not needed to distinguish them from other types.
  return shown?.every(({ text }) => text.startsWith('"')) === true
    ? shown.map(({ text, label }) => ({ text, label: label.replace(/^"([^"\\]+)"/, '$1') }))
    : shown;
}

/** The choices of a union whose alternatives are all constants, usually with titles; null for any other union. */
export function readConstants(union: readonly Json[], budget: Budget): readonly Choice[] | null {
  const all = alternativesOf(union, maxChoices).map((branch) => {
    if (!isObject(branch) || !budget.take()) return null;
    const only = Object.keys(branch).every((key) => /^(const|title|description|type)$/.test(key));
    const text = exactMember(branch, 'const');
    return only && text !== undefined ? choice(text, memberOf(branch, 'title')) : null;
  });
  return all.every((each) => each !== null) ? all : null;
}

export function defaultOf(parts: readonly JsonObject[], budget: Budget): JsonText | null {
  const part = parts.find((each) => Object.hasOwn(each, 'default'));
  const value = part?.default;
  return part === undefined || value === undefined || !isAffordable(value, budget)
    ? null
    : (exactMember(part, 'default') ?? null);
}

export function examplesOf(examples: Json | undefined, budget: Budget): readonly JsonText[] {
  return Array.isArray(examples) ? textsIn(examples, maxExamples, budget) : [];
}

function withoutRepeated(choices: readonly Choice[]): readonly Choice[] {
  const seen = new Set<JsonText>();
  return choices.filter(({ text }) => {
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

function withBoth(some: readonly Choice[], others: readonly Choice[]): readonly Choice[] {
  const texts = new Set(some.map(({ text }) => text));
  return others.filter(({ text }) => texts.has(text));
}

function choice(text: JsonText, title: Json | undefined): Choice {
  const label = text.slice(0, maxLabel);
  return { text, label: typeof title === 'string' && title !== '' ? `${label} – ${title}` : label };
}

function textsIn(list: Json[], max: number, budget: Budget): readonly JsonText[] {
  return list.slice(0, max).flatMap((value, index) => {
    if (!isAffordable(value, budget)) return [];
    return [exactMember(list, index) ?? ''];
  });
}

function isAffordable(value: Json, budget: Budget): boolean {
  if (typeof value === 'string')
    return value.length <= 100_000 && budget.take(1 + value.length / 500);
  if (typeof value !== 'object' || value === null) return budget.take();
  return budget.take(100) && !moreThan(value, maxValues) && !deeperThan(value, deepest);
}

function innerUnion(schema: Json): readonly Json[] | null {
  if (!isObject(schema)) return null;
  const [[key, value] = [], ...others] = Object.entries(schema).filter(
    ([name]) => !aside.test(name),
  );
  if (others.length > 0 || (key !== 'anyOf' && key !== 'oneOf')) return null;
  return Array.isArray(value) && value.length > 0 ? value : null;
}

function isNull(schema: Json): boolean {
  return isObject(schema) && schema.type === 'null' && Object.keys(schema).length === 1;
}
