/** Writes the results of a run of an evaluation: as JSON for programs, as Markdown for people. */

import { promptName } from '../../runtime/spec/evaluation.ts';
import type { EvalState } from './eval-record.ts';
import { figuresFor, missedThresholds, rateText, type Figures } from './figures.ts';

/** Writes the results as JSON. The same run gives the same text. */
export function evalJson(state: EvalState): string {
  const { evaluation, models, trials } = state;
  const all = {
    format: 'cloche-evaluation-results',
    version: 1,
    name: evaluation.name,
    file: state.file,
    fileHash: state.fileHash,
    toolsHash: state.toolsHash,
    repeats: state.repeats,
    state: state.phase,
    reason: state.reason,
    began: new Date(state.createdAt).toISOString(),
    missed: missedThresholds(state),
    models: models.map(({ name }, model) => ({
      model: name,
      ...figures(figuresFor(state, { model })),
      prompts: evaluation.prompts.map((one, prompt) => ({
        prompt: promptName(one, prompt),
        ...figures(figuresFor(state, { prompt, model })),
        trials: [...trials.values()]
          .filter((trial) => trial.prompt === prompt && trial.model === model)
          .map(({ phase, reasons, answer, usage, ms }) => ({
            state: phase,
            reasons,
            answer,
            ...usage,
            ms,
          })),
      })),
    })),
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}

function figures({ passed, failed, errors, waiting, rate, interval, usage, ms }: Figures) {
  return { passed, failed, errors, waiting, rate, interval, ...usage, medianMs: ms };
}

export function evalMarkdown(state: EvalState): string {
  const { evaluation, models } = state;
  const parts = [
    `# ${oneLine(evaluation.name)}`,
    [
      `- State: ${state.phase}${state.reason === '' ? '' : `. ${oneLine(state.reason)}`}`,
      `- Begun: ${new Date(state.createdAt).toISOString()}`,
      `- File: ${oneLine(state.file)}, SHA-256 ${state.fileHash.slice(0, 12)}`,
      `- Tools: ${oneLine(state.folder)}, SHA-256 ${state.toolsHash.slice(0, 12)}`,
      `- Trials of each prompt: ${state.repeats}`,
    ].join('\n'),
    [
      `| Prompt | ${models.map(({ name }) => cell(name)).join(' | ')} |`,
      `| --- | ${models.map(() => '---').join(' | ')} |`,
      row(
        '**All**',
        models.map((_, model) => rateText(figuresFor(state, { model }))),
      ),
      ...evaluation.prompts.map((one, prompt) =>
        row(
          cell(promptName(one, prompt)),
          models.map((_, model) => rateText(figuresFor(state, { prompt, model }))),
        ),
      ),
    ].join('\n'),
  ];
  for (const [model, { name }] of models.entries()) {
    const { usage, errors } = figuresFor(state, { model });
    const cost = usage.cost === null ? 'cost unknown' : `$${usage.cost.toFixed(4)}`;
    parts.push(
      `${oneLine(name)}: ${usage.requests} requests, ${usage.calls} calls, ${usage.tokens} tokens, ${cost}, ${errors} errors.`,
    );
  }
  const bad = [...state.trials.values()].filter(({ reasons }) => reasons.length > 0);
  if (bad.length > 0) parts.push('## What failed');
  for (const { prompt, model, repeat, phase, reasons } of bad)
    parts.push(
      `**${cell(promptName(evaluation.prompts[prompt], prompt))}**, ${cell(models[model]?.name ?? '')}, trial ${repeat + 1}: ${phase}`,
      reasons
        .map(({ text, judged }) => `- ${judged ? '(by a model) ' : ''}${cell(text)}`)
        .join('\n'),
    );
  return `${parts.join('\n\n')}\n`;
}

function row(name: string, cells: readonly string[]): string {
  return `| ${name} | ${cells.join(' | ')} |`;
}

function cell(text: string): string {
  return oneLine(text).replace(/[\\|<>`*_[\]]/g, '\\$&');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
