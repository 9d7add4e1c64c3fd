/**
 * Writes the results of a run of an evaluation: as JSON for programs, as Markdown for people. If the evaluation has
 * versions, which describe the tools differently to the model, both compare these: one half of the prompts chooses the best
 * version, and the other half, which is held out, checks that choice (versions.ts).
 */

import { promptName } from '../../runtime/spec/evaluation.ts';
import type { EvalState } from './eval-record.ts';
import { figuresFor, findMissedThresholds, rateText, type Figures } from './figures.ts';
import { differenceText, verdictWords } from './version-words.ts';
import { isHeldOut, verdictOf, versionFigures } from './versions.ts';

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
    missed: findMissedThresholds(state),
    ...(evaluation.versions === undefined
      ? {}
      : {
          versions: versionFigures(state).map(
            ({ chosenBy, heldOut, comparedWithFirst, version: _, ...rest }) => ({
              than: comparedWithFirst,
              ...rest,
              chosenBy: figures(chosenBy),
              heldOut: figures(heldOut),
            }),
          ),
          verdict: { ...verdictOf(state), words: verdictWords(state) },
        }),
    models: models.map(({ name }, model) => ({
      model: name,
      ...figures(figuresFor(state, { model })),
      prompts: evaluation.prompts.map((one, prompt) => ({
        prompt: promptName(one, prompt),
        ...(evaluation.versions === undefined ? {} : { heldOut: isHeldOut(prompt) }),
        ...figures(figuresFor(state, { prompt, model })),
        trials: [...trials.values()]
          .filter((trial) => trial.prompt === prompt && trial.model === model)
          .map(({ phase, version, reasons, answer, usage, ms }) => ({
            state: phase,
            ...(evaluation.versions === undefined ? {} : { version }),
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
  if (evaluation.versions !== undefined) parts.push(...versionParts(state));
  for (const [model, { name }] of models.entries()) {
    const { usage, errors } = figuresFor(state, { model });
    const cost = usage.cost === null ? 'cost unknown' : `$${usage.cost.toFixed(4)}`;
    parts.push(
      `${oneLine(name)}: ${usage.requests} requests, ${usage.calls} calls, ${usage.tokens} tokens, ${cost}, ${errors} errors.`,
    );
  }
  const bad = [...state.trials.values()].filter(({ reasons }) => reasons.length > 0);
  if (bad.length > 0) parts.push('## What failed');
  for (const { prompt, model, version, repeat, phase, reasons } of bad) {
    const names = [models[model]?.name, evaluation.versions?.[version]?.name]
      .filter((name) => name !== undefined)
      .map(cell);
    const head = `**${cell(promptName(evaluation.prompts[prompt], prompt))}**`;
    parts.push(
      [head, ...names, `trial ${repeat + 1}: ${phase}`].join(', '),
      reasons
        .map(({ text, judged }) => `- ${judged ? '(by a model) ' : ''}${cell(text)}`)
        .join('\n'),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

/** The table of the versions: the first one without differences, the others with their differences from it. */
function versionParts(state: EvalState): readonly string[] {
  const rows = versionFigures(state).map(
    ({ name, chosenBy, heldOut, tokens, requests, comparedWithFirst: compared }) =>
      row(cell(name), [
        rateText(chosenBy),
        rateText(heldOut),
        compared === null ? '–' : differenceText(compared.rate, 'points'),
        `${amount(tokens)}${compared === null ? '' : ` (${differenceText(compared.tokens, '')})`}`,
        `${amount(requests)}${compared === null ? '' : ` (${differenceText(compared.requests, '')})`}`,
      ]),
  );
  const head = 'Version | First half | Held out | Difference | Tokens | Requests';
  return [
    '## Versions',
    verdictWords(state),
    [`| ${head} |`, `|${' --- |'.repeat(6)}`, ...rows].join('\n'),
  ];
}

function amount(value: number | null): string {
  return value === null ? '–' : value.toFixed(1);
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
