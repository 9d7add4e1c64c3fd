/** Words about versions that an evaluation has compared, for the page and for reports. */

import type { EvalState } from './eval-record.ts';
import { minComparedPrompts } from '../../runtime/spec/evaluation.ts';
import { verdictOf, type Difference } from './versions.ts';

/** `+12 (3 to 21)`, with the 95 % interval; shares as percentage points. */
export function differenceText(difference: Difference | null, unit: 'points' | ''): string {
  if (difference === null) return '–';
  const { value, interval } = difference;
  const numberText = (one: number): string => {
    const scaled = unit === 'points' ? one * 100 : one;
    return scaled
      .toFixed(Math.abs(scaled) < 10 && unit === '' ? 1 : 0)
      .replace(/^-(0(?:\.0)?)$/, '$1');
  };
  const sign = Number(numberText(value)) > 0 ? '+' : '';
  const range = interval === null ? '' : ` (${interval.map(numberText).join(' to ')})`;
  return `${sign}${numberText(value)}${range}${unit === '' ? '' : ` ${unit}`}`;
}

/** Which version is better, in a sentence. */
export function verdictWords(state: EvalState): string {
  const verdict = verdictOf(state);
  const { versions = [] } = state.evaluation;
  const quotedName = (version: number): string => `“${versions[version]?.name ?? ''}”`;
  switch (verdict.at) {
    case 'running':
      return 'The run has not finished, so the versions cannot be compared yet.';
    case 'too few prompts':
      return `Half of the prompts are held out to check the choice. Use at least ${minComparedPrompts} prompts to find out which version is better.`;
    case 'no trials':
      return 'No trial of the held-out prompts has passed or failed, so the versions cannot be compared.';
    case 'better':
    case 'worse':
      return `${quotedName(verdict.version)} is ${verdict.at} than ${quotedName(0)}: its pass rate on the held-out prompts differs by ${differenceText(verdict.difference, 'points')}.`;
    case 'open':
      return `This run does not say which version is better. On the held-out prompts, the pass rates of ${quotedName(verdict.version)} and ${quotedName(0)} differ by ${differenceText(verdict.difference, 'points')}, and the interval includes 0.`;
  }
}
