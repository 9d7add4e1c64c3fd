/** Writes a readable report of a run: what each task did, found, took and cost. As Markdown, or as a separate page. */

import type { PlanCheck } from '../../runtime/spec/plan.ts';
import { countText } from '../../runtime/spec/count-text.ts';
import type { RunState, TaskState, RunUsage } from './run-record.ts';
import { phaseWords, taskTitle, taskWords } from './run-tasks.ts';
import type { TimelineSpan } from './run-timeline.ts';

/** The parts of a task's session that the report shows. */
export interface TaskEvidence {
  readonly spans: readonly TimelineSpan[];
  /** The calls with their results, as text. */
  readonly calls: string;
}

type Block =
  | { readonly type: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly type: 'quote' | 'code'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly string[] };

/** Longest quoted output, and longest list of calls; characters. */
const maxChars = 5_000;
const maxCallChars = 20_000;
/** Limit for the evidence of all tasks together; characters. */
const maxEvidence = 4_000_000;
const maxSpans = 400;

/** @param evidence by task; tasks without any have none in the report */
export function runReport(run: RunState, evidence: ReadonlyMap<string, TaskEvidence>): string {
  return `${blocksOf(run, evidence).map(asMarkdown).join('\n\n')}\n`;
}

/**
 * Writes the report as a page with text only, in which no script can be hidden.
 * @param evidence by task
 */
export function runPage(run: RunState, evidence: ReadonlyMap<string, TaskEvidence>): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(oneLine(run.plan.goal).slice(0, 200))}</title>
<style>body{max-width:48rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui;color-scheme:light dark}p,pre,li,blockquote{white-space:pre-wrap;overflow-wrap:anywhere}pre{padding:.75rem;background:#8881}</style>
${blocksOf(run, evidence).map(asHtml).join('\n')}
</html>
`;
}

export function usageText({ calls, tokens, cost }: RunUsage): string {
  const words = [countText(calls, 'call'), countText(tokens, 'token')];
  return [...words, ...(cost === null ? [] : [`$${cost.toFixed(4)}`])].join(', ');
}

function blocksOf(run: RunState, evidence: ReadonlyMap<string, TaskEvidence>): readonly Block[] {
  const { plan, phase, reason, tasks, usage, createdAt, changedAt, activeMs, revisions } = run;
  const blocks: Block[] = [
    { type: 'heading', level: 1, text: oneLine(plan.goal) },
    {
      type: 'list',
      items: [
        `State: ${withReason(phaseWords[phase], reason)}`,
        `Begun: ${new Date(createdAt).toISOString()}`,
        `Last change: ${new Date(changedAt).toISOString()}`,
        `Worked for: ${secondsText(activeMs)}`,
        `Used: ${usageText(usage)}`,
      ],
    },
  ];
  if (revisions.length > 0)
    blocks.push(
      { type: 'heading', level: 2, text: 'Changes of the plan' },
      {
        type: 'list',
        items: revisions.map(
          ({ at, by, reason: why }) => `${new Date(at).toISOString()}, by the ${by}. ${why}`,
        ),
      },
    );
  let left = maxEvidence;
  for (const planned of plan.tasks) {
    const task = tasks.get(planned.id);
    if (task === undefined) continue;
    blocks.push(
      { type: 'heading', level: 2, text: oneLine(taskTitle(planned)) },
      { type: 'quote', text: planned.instructions },
      { type: 'list', items: factsOf(task, planned.check) },
    );
    if (task.failures.length > 0)
      blocks.push(
        { type: 'heading', level: 3, text: 'Failed attempts' },
        { type: 'list', items: task.failures },
      );
    if (task.output !== null)
      blocks.push(
        { type: 'heading', level: 3, text: 'Result' },
        { type: 'code', text: task.output.slice(0, maxChars) },
      );
    const found = evidenceBlocks(evidence.get(planned.id), left);
    for (const block of found) left -= 'text' in block ? block.text.length : 0;
    blocks.push(...found);
  }
  return blocks;
}

function evidenceBlocks(evidence: TaskEvidence | undefined, left: number): readonly Block[] {
  if (evidence === undefined || evidence.spans.length === 0) return [];
  const { spans, calls } = evidence;
  const from = spans[0]?.from ?? 0;
  const items = spans
    .slice(0, maxSpans)
    .map((span) => `After ${secondsText(span.from - from)}: ${spanText(span, secondsText)}`);
  if (spans.length > maxSpans) items.push(`and ${spans.length - maxSpans} more`);
  const shown = calls.slice(0, Math.max(0, Math.min(maxCallChars, left)));
  return [
    { type: 'heading', level: 3, text: 'Steps and calls' },
    { type: 'list', items },
    ...(shown === ''
      ? []
      : ([
          { type: 'heading', level: 3, text: 'Calls and their results' },
          { type: 'code', text: shown.length < calls.length ? `${shown}…` : shown },
        ] as const)),
  ];
}

/**
 * A step or a call of a task in words.
 * @param took writes a duration in milliseconds
 * @param goesOn whether the task is carried out now
 */
export function spanText(
  { kind, name, from, to, tokens, cost, isFailed }: TimelineSpan,
  took: (ms: number) => string,
  goesOn = false,
): string {
  return [
    `${kind === 'model' ? 'Model' : 'Call'} ${name.slice(0, 100)}`,
    to !== null ? took(to - from) : goesOn ? 'running' : 'not ended',
    ...(tokens > 0 ? [countText(tokens, 'token')] : []),
    ...(cost === null ? [] : [`$${cost.toFixed(4)}`]),
    ...(isFailed ? ['failed'] : []),
  ].join(', ');
}

function factsOf(task: TaskState, check: PlanCheck | undefined): readonly string[] {
  const { phase, attempt, reason, usage, beganAt, endedAt, activeMs, earlierFailures } = task;
  return [
    `State: ${withReason(taskWords[phase], reason)}`,
    ...(check === undefined ? [] : [`Check: ${checkText(check)}`]),
    ...(earlierFailures ?? []).map(
      ({ text }) => `Failed before the task began, not counted: ${text}`,
    ),
    `Attempts: ${attempt}`,
    ...(beganAt === null ? [] : [`Begun: ${new Date(beganAt).toISOString()}`]),
    ...(beganAt === null || endedAt === null ? [] : [`Took: ${secondsText(activeMs)}`]),
    `Used: ${usageText(usage)}`,
  ];
}

export function checkText(check: PlanCheck): string {
  if ('expression' in check) return `the expression ${check.expression}`;
  if ('judge' in check) return `a model judges “${check.judge}”`;
  if ('test' in check) return `the saved test “${check.test}”`;
  return `a call of ${check.call}`;
}

function withReason(state: string, reason: string): string {
  return reason === '' ? state : `${state}. ${reason}`;
}

function secondsText(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function asMarkdown(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${oneLine(block.text)}`;
    case 'quote':
      return block.text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
    case 'code':
      return codeBlock(block.text);
    case 'list':
      return block.items.map((item) => `- ${oneLine(item)}`).join('\n');
  }
}

function asHtml(block: Block): string {
  switch (block.type) {
    case 'heading':
      return `<h${block.level}>${escapeHtml(block.text)}</h${block.level}>`;
    case 'quote':
      return `<blockquote>${escapeHtml(block.text)}</blockquote>`;
    case 'code':
      return `<pre>${escapeHtml(block.text)}</pre>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
  }
}

/** A code block that the text cannot end. */
function codeBlock(text: string): string {
  let longest = 2;
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (char) => names[char] ?? '');
}
