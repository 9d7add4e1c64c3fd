/** Recognises files of other tools where a plan or an evaluation is expected, and says what they are and what to write. */

import { isRecord, type Fields } from '../../runtime/spec/guards.ts';
import type { FormProblem } from './read-json-or-yaml.ts';

/** Returns what a file of another tool is, at the first place that shows it; null for all other files. */
export function foreignText(value: unknown): FormProblem | null {
  if (!isRecord(value) || Array.isArray(value)) return null;
  const tests = Array.isArray(value.tests) ? value.tests.findIndex(isPromptfooTest) : -1;
  if (tests >= 0 || ('providers' in value && 'prompts' in value && !('name' in value)))
    return {
      path: tests >= 0 ? ['tests', tests] : ['providers'],
      message: 'this is a configuration of promptfoo, which Cloche cannot run',
      hint: 'Write an evaluation: “providers” become “models”, and each test becomes an entry of “prompts”. Its “text” is the prompt with the test’s vars filled in. Of its assertions, contains becomes expect.answer.includes, regex becomes expect.answer.regex, python becomes expect.answer.expression, llm-rubric becomes expect.answer.judge, and assertions about tool calls become expect.calls.must.',
    };
  const members = Object.entries(value);
  if (members.length === 0) return null;
  if (members.every(([, one]) => isRecord(one) && isCrewTask(one)))
    return {
      path: [],
      message: 'these are tasks of CrewAI (tasks.yaml), which Cloche cannot run',
      hint: 'Write a plan with a “goal” and a list of “tasks”. In each, the name becomes “id”, “description” becomes “instructions”, “context” becomes “depends_on”, and “agent” becomes a sentence of the instructions. Add “expected_output” to the instructions, or write it as a JSON Schema in “output”.',
    };
  if (members.every(([, one]) => isRecord(one) && isCrewAgent(one)))
    return {
      path: [],
      message: 'these are agents of CrewAI (agents.yaml), which Cloche cannot run',
      hint: 'Write a plan from tasks.yaml. Its tasks have no agents: write what role, goal and backstory say into the “instructions” of the plan or of a task.',
    };
  return null;
}

function isPromptfooTest(value: unknown): boolean {
  return isRecord(value) && (Array.isArray(value.assert) || isRecord(value.vars));
}

function isCrewTask({ description, expected_output: expected, agent }: Fields): boolean {
  return typeof description === 'string' && (expected !== undefined || agent !== undefined);
}

function isCrewAgent({ role, goal, backstory }: Fields): boolean {
  return typeof role === 'string' && (typeof goal === 'string' || typeof backstory === 'string');
}
