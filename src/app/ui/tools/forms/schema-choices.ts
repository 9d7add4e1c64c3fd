/** Reads the values that a schema lists: choices, constants, the default and examples. */

import type { Budget } from '../../../../runtime/async/budget.ts';
import { deeperThan, moreThan } from '../../../../runtime/spec/json-depth.ts';
import { exactMember } from '../../../../runtime/spec/exact-json.ts';
import { isObject } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import { memberOf } from '../page/schema-node.ts';
import { alternativesOf } from './alternatives.ts';

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

function choice(text: JsonText, title: Json | undefined): Choice {
  const label = text.slice(0, maxLabel);
  return { text, label: typeof title === 'string' && title !== '' ? `${label} – ${title}` : label };
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
