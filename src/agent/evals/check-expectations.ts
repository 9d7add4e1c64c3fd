/** Finds expressions in the expectations of an evaluation that are not valid Python, before a model is asked. */

import type { Evaluation } from '../../runtime/spec/evaluation.ts';
import { compiledOnly, compiledPattern, faultInPython } from '../saved-tests/judged-outcome.ts';
import type { JudgeDeps } from './judge-trial.ts';

/** Returns where an expression is not valid, and why; empty if all are valid. Rejects if Python cannot check them. */
export async function wrongExpectation(
  { prompts }: Pick<Evaluation, 'prompts'>,
  compare: JudgeDeps['compare'],
): Promise<string> {
  for (const [index, { expect }] of prompts.entries()) {
    const { regex, expression } = expect?.answer ?? {};
    const sources = {
      regex: regex === undefined ? undefined : compiledPattern(regex),
      expression: expression === undefined ? undefined : compiledOnly(expression),
    };
    for (const [key, source] of Object.entries(sources)) {
      const fault = source === undefined ? null : await faultInPython(source, compare);
      if (fault !== null)
        return `prompts.${index}.expect.answer.${key} is not valid: ${fault}. Correct it, then start a new run. No model was asked.`;
    }
  }
  return '';
}
