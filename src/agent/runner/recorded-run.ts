/**
 * Recorded runs: the plan of a run with the model's part of each task, which play without a model while the tools run
 * live. A file `runs/*.json` in a tools folder is offered as a sample.
 */

import { isRecord, parseJson } from '../../runtime/spec/guards.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type { FolderFile, FolderSnapshot } from '../../runtime/spec/folder.ts';
import type { ModelPart } from '../../runtime/spec/model.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { Plan, PlanTask } from '../../runtime/spec/plan.ts';
import type { RecordedStep, Recording } from '../../runtime/spec/recording.ts';
import { expectParsable } from '../session/recording/read-files.ts';
import type { RunState } from './run-record.ts';

/** The model's part of one task. */
export interface RecordedTask {
  /** The answers to each message of the runner: the task, a reminder, or the reason of a failed check. */
  readonly turns: readonly { readonly steps: readonly RecordedStep[] }[];
  /** The answers of the judge, one for each time it was asked. */
  readonly verdicts?: readonly { readonly holds: boolean; readonly reason: string }[];
}

export interface RecordedRun {
  readonly format: 'cloche-recorded-run';
  readonly version: 1;
  readonly title: string;
  /** Whether the run was written by hand, without a model. */
  readonly scripted: boolean;
  readonly plan: Plan;
  readonly tasks: Readonly<Record<string, RecordedTask>>;
}

export interface RecordedRunForms {
  readonly isPlan: (value: unknown) => boolean;
  readonly isRecording: (value: unknown) => boolean;
}

/** A recorded run in the open folder. */
export interface FolderRun {
  readonly path: string;
  readonly run: RecordedRun;
}

/** Longest recorded run, as it is stored in the first event of a run; characters. */
const maxChars = 4_000_000;
const maxFiles = 20;
const maxFileBytes = 500_000;
const maxTitleChars = 200;
/** Limit of nesting: more than a plan may have. */
const maxDepth = 120;

/** Parses a recorded run without blocking the page. @throws {ToolError} `bad-input` with the problem in the text */
export async function recordedRunOfText(
  text: JsonText,
  forms: RecordedRunForms,
): Promise<RecordedRun> {
  if (text.length > maxChars) throw tooLong();
  await expectParsable(text, maxDepth, invalid);
  return readRecordedRun(text, forms);
}

/** @throws {ToolError} `bad-input` with the problem in the file */
export function readRecordedRun(text: JsonText, forms: RecordedRunForms): RecordedRun {
  if (text.length > maxChars) throw tooLong();
  const value = parseJson(text);
  if (value === undefined) throw invalid('it is damaged or incomplete');
  if (!isRecord(value) || value.format !== 'cloche-recorded-run' || value.version !== 1)
    throw invalid('its "format" is not "cloche-recorded-run", version 1');
  const { title, scripted, plan, tasks } = value;
  if (typeof title !== 'string' || title === '' || title.length > maxTitleChars)
    throw invalid('it has no title');
  if (typeof scripted !== 'boolean' || !isRecord(tasks)) throw invalid('it lacks its tasks');
  if (!forms.isPlan(plan)) throw invalid('its plan is not valid');
  for (const [id, task] of Object.entries(tasks))
    if (!isTask(task, title, forms)) throw invalid(`its task ${id.slice(0, 100)} is not valid`);
  return value as unknown as RecordedRun;
}

function isTask(task: unknown, title: string, { isRecording }: RecordedRunForms): boolean {
  if (!isRecord(task) || !Array.isArray(task.turns)) return false;
  const turns: unknown[] = task.turns;
  const { verdicts = [] } = task;
  const areVerdicts =
    Array.isArray(verdicts) &&
    verdicts.every(
      (one: unknown) =>
        isRecord(one) && typeof one.holds === 'boolean' && typeof one.reason === 'string',
    );
  return (
    areVerdicts && turns.every(isRecord) && isRecording(recordingOf(title, [], turns as never))
  );
}

/** The files in a tools folder's `runs/` that are read. Those that are not recordings of runs are ignored. */
export function runFiles({ files }: Pick<FolderSnapshot, 'files'>): readonly FolderFile[] {
  return files
    .filter(
      ({ path, bytes }) => /^runs\/[^/]+\.json$/.test(path) && bytes.byteLength <= maxFileBytes,
    )
    .slice(0, maxFiles);
}

/** The recording that the session of a task plays, as JSON. */
export function taskRecording(
  { title, tasks }: RecordedRun,
  { id }: PlanTask,
  tools: readonly string[],
): JsonText {
  return JSON.stringify(recordingOf(title, tools, tasks[id]?.turns ?? []));
}

function recordingOf(
  title: string,
  tools: readonly string[],
  turns: RecordedTask['turns'],
): Recording {
  return {
    ...({ format: 'cloche-recording', version: 1, title, scripted: true } as const),
    tools,
    // The runner writes the messages.
    turns: turns.map(({ steps }) => ({ message: [{ type: 'text', text: 'Task' }], steps })),
  };
}

/** The judge's recorded answer to the check of a task. @throws {ModelError} if there is none */
export async function* replayVerdict(
  { tasks: recorded }: RecordedRun,
  task: string,
  { tasks }: Pick<RunState, 'tasks'>,
): AsyncIterable<ModelPart> {
  const attempt = tasks.get(task)?.attempt ?? 1;
  const verdict = recorded[task]?.verdicts?.[attempt - 1];
  if (verdict === undefined)
    throw new ModelError('model', 'The recording has no verdict for this check.');
  await Promise.resolve();
  yield { type: 'text', id: '1', delta: JSON.stringify(verdict) };
}

/** Makes a recorded run from a run and its sessions. @param recordings of the sessions of tasks, by task */
export function recordedRunOf(
  { plan, tasks }: Pick<RunState, 'plan' | 'tasks'>,
  recordings: ReadonlyMap<string, Recording>,
  verdicts: ReadonlyMap<string, NonNullable<RecordedTask['verdicts']>>,
): RecordedRun {
  return {
    ...({ format: 'cloche-recorded-run', version: 1, scripted: false } as const),
    title: plan.goal.slice(0, maxTitleChars),
    plan,
    tasks: Object.fromEntries(
      [...tasks.keys()].map((id) => [
        id,
        {
          turns: (recordings.get(id)?.turns ?? []).map(({ steps }) => ({ steps })),
          verdicts: verdicts.get(id) ?? [],
        },
      ]),
    ),
  };
}

function tooLong(): ToolError {
  return invalid(`it has more than ${maxChars} characters`);
}

function invalid(why: string): ToolError {
  return new ToolError(
    'bad-input',
    `This recorded run cannot be played: ${why}.`,
    'Choose a file made with “Save as recording”.',
  );
}
