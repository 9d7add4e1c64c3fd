/** Finds expressions in the expectations of an evaluation that are not valid Python, before a model is asked. */

import { textResult } from '../../runtime/call/results.ts';
import type { Evaluation } from '../../runtime/spec/evaluation.ts';
import { compiledOnly, outcomeForJudge } from '../saved-tests/judged-outcome.ts';
import { inPython, type JudgeDeps } from './judge-trial.ts';

/** Returns where an expression is not valid, and why; empty if all are valid. Rejects if Python cannot check them. */
export async function wrongExpectation(
  { prompts }: Pick<Evaluation, 'prompts'>,
  compare: JudgeDeps['compare'],
): Promise<string> {
  for (const [index, { expect }] of prompts.entries()) {
    const { regex, expression } = expect?.answer ?? {};
    const sources = {
      regex: regex === undefined ? undefined : `__import__("re").compile(${inPython(regex)})`,
      expression: expression === undefined ? undefined : compiledOnly(expression),
    };
    for (const [key, source] of Object.entries(sources)) {
      if (source === undefined) continue;
      const expected = JSON.stringify({ expression: source });
      const [reason] = await compare(expected, outcomeForJudge(textResult(''), expected));
      if (reason === undefined) continue;
      const at = reason.lastIndexOf(' raised ');
      const why = reason.slice(at < 0 ? 0 : at + ' raised '.length);
      return `prompts.${index}.expect.answer.${key} is not valid: ${why.replace(/, where result is .*$/s, '').slice(0, 500)}. Correct it, then start a new run. No model was asked.`;
    }
  }
  return '';
}
