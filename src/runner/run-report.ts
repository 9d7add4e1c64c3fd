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
  revisions,
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
  if (revisions.length > 0)
    parts.push(
      '## Changes of the plan',
      revisions
        .map(
          ({ at, by, reason: why }) =>
            `1. ${new Date(at).toISOString()}, by the ${by}. ${oneLine(why)}`,
        )
        .join('\n'),
    );
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

function taskText(task: TaskState): string {
  const { phase, attempt, reason, usage } = task;
  return `- State: ${phase}${reason === '' ? '' : `. ${oneLine(reason)}`}\n- Attempts: ${attempt}${secondsOf(task)}\n- Used: ${usageText(usage)}`;
}

function secondsOf({ beganAt, endedAt }: TaskState): string {
  return beganAt === null || endedAt === null
    ? ''
    : `, ${((endedAt - beganAt) / 1_000).toFixed(1)} s`;
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

/** The record of a run for people, as a page of its own: text only, which no script can be hidden in. */
export function runPage(run: RunState): string {
  const { plan, phase, reason, tasks, usage, createdAt, changedAt, revisions } = run;
  const rows = plan.tasks.flatMap(({ id, title = id, instructions }) => {
    const task = tasks.get(id);
    if (task === undefined) return [];
    const failures = task.failures.map((text) => `<li>${escaped(text)}</li>`).join('');
    return [
      `<section><h2>${escaped(title)}</h2><p>${escaped(instructions)}</p>`,
      `<p><b>${task.phase}</b>${task.reason === '' ? '' : `: ${escaped(task.reason)}`}</p>`,
      `<p>Attempts: ${task.attempt}${secondsOf(task)}. ${usageText(task.usage)}.</p>`,
      failures === '' ? '' : `<h3>Failed attempts</h3><ol>${failures}</ol>`,
      task.output === null
        ? ''
        : `<h3>Result</h3><pre>${escaped(task.output.slice(0, mostChars))}</pre>`,
      '</section>',
    ];
  });
  const changes = revisions.map(
    ({ at, by, reason: why }) =>
      `<li>${new Date(at).toISOString()}, by the ${by}. ${escaped(why)}</li>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(oneLine(plan.goal).slice(0, 200))}</title>
<style>body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui;color-scheme:light dark}p,pre,li{white-space:pre-wrap;overflow-wrap:anywhere}pre{padding:.75rem;background:#8881}</style>
<h1>${escaped(plan.goal)}</h1>
<p><b>${phase}</b>${reason === '' ? '' : `: ${escaped(reason)}`}</p>
<p>Begun ${new Date(createdAt).toISOString()}, last change ${new Date(changedAt).toISOString()}. ${usageText(usage)}.</p>
${changes.length === 0 ? '' : `<h2>Changes of the plan</h2><ol>${changes.join('')}</ol>`}
${rows.join('\n')}
</html>
`;
}

function escaped(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (char) => names[char] ?? '');
}
