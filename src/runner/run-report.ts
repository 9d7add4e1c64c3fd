/** Writes the record of a run for people, as Markdown. */

import type { RunState, TaskState, RunUsage } from './run-record.ts';

/** Longest quoted output; characters. */
const mostChars = 5_000;

export function runReport({
  plan,
  phase,
  reason,
  tasks,
  usage,
  createdAt,
  changedAt,
}: RunState): string {
  const parts = [
    `# ${oneLine(plan.goal)}`,
    [
      `- State: ${phase}${reason === '' ? '' : `. ${oneLine(reason)}`}`,
      `- Begun: ${new Date(createdAt).toISOString()}`,
      `- Last change: ${new Date(changedAt).toISOString()}`,
      `- Used: ${usageText(usage)}`,
    ].join('\n'),
  ];
  for (const { id, title, instructions } of plan.tasks) {
    const task = tasks.get(id);
    if (task === undefined) continue;
    parts.push(`## ${oneLine(title ?? id)}`, quoted(instructions), taskText(task));
    if (task.failures.length > 0)
      parts.push('Failed attempts:', task.failures.map((text) => `1. ${oneLine(text)}`).join('\n'));
    if (task.output !== null) parts.push('Result:', fenced(task.output));
  }
  return `${parts.join('\n\n')}\n`;
}

export function usageText({ calls, tokens, cost }: RunUsage): string {
  const words = [
    `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'}`,
    `${tokens.toLocaleString('en')} ${tokens === 1 ? 'token' : 'tokens'}`,
  ];
  return [...words, ...(cost === null ? [] : [`$${cost.toFixed(4)}`])].join(', ');
}

function taskText({ phase, attempt, reason, usage, beganAt, endedAt }: TaskState): string {
  const seconds =
    beganAt === null || endedAt === null ? '' : `, ${((endedAt - beganAt) / 1_000).toFixed(1)} s`;
  return `- State: ${phase}${reason === '' ? '' : `. ${oneLine(reason)}`}\n- Attempts: ${attempt}${seconds}\n- Used: ${usageText(usage)}`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** A code block that the text cannot end. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}json\n${text.slice(0, mostChars)}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
