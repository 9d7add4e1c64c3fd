/** Reads the sessions of a run's tasks, for their timeline, the evidence in a report, and the recorded run. */

import { recordingOf } from '../session/recording/recorded-session.ts';
import { replaySession } from '../session/reduce.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Recording } from '../../runtime/spec/recording.ts';
import { recordedRunOf } from './recorded-run.ts';
import type { RunState } from './run-record.ts';
import type { TaskEvidence } from './run-report.ts';
import { spansOf, type TimelineSpan, type TimelineTask } from './run-timeline.ts';
import { evidenceOf } from './session-agent.ts';

export class RunSessions {
  readonly #sessions: Pick<Sessions, 'events'>;
  /** Spans of tasks that have ended, by session. */
  readonly #spans = new Map<string, readonly TimelineSpan[]>();

  constructor(sessions: Pick<Sessions, 'events'>) {
    this.#sessions = sessions;
  }

  /**
   * Returns the timeline of a run. A task whose session cannot be read has no spans. Never rejects.
   */
  async timeline({ tasks }: RunState): Promise<readonly TimelineTask[]> {
    const rows: TimelineTask[] = [];
    for (const [task, { session, phase }] of tasks) {
      const found =
        this.#spans.get(session) ??
        (session === '' ? [] : await this.#sessions.events(session).then(spansOf, () => []));
      if (phase === 'done' || phase === 'failed') this.#spans.set(session, found);
      rows.push({ task, spans: found });
    }
    return rows;
  }

  /** Returns the evidence of a run's tasks. Never rejects. */
  async evidence({ tasks }: RunState): Promise<ReadonlyMap<string, TaskEvidence>> {
    const found = new Map<string, TaskEvidence>();
    for (const [task, { session }] of tasks) {
      if (session === '') continue;
      const events = await this.#sessions.events(session).catch(() => []);
      const evidence = evidenceOf(replaySession(session, events));
      found.set(task, { spans: spansOf(events), calls: evidence });
    }
    return found;
  }

  /** The run as a file that can be played. @throws {ToolError} if a session cannot be read */
  async record(run: RunState): Promise<string> {
    const recordings = new Map<string, Recording>();
    const verdicts = new Map<string, { readonly holds: boolean; readonly reason: string }[]>();
    for (const [task, { session, phase, failures, reason }] of run.tasks) {
      if (session === '') continue;
      recordings.set(
        task,
        recordingOf(replaySession(session, await this.#sessions.events(session))),
      );
      // The recording has a verdict for each attempt, which replaces the judge's when the run is played. `failures` are the
      // reasons of the failed attempts. If the task is done, its last attempt has passed, and `reason` belongs to that one.
      const failed = failures.map((text) => ({ holds: false, reason: text }));
      verdicts.set(task, phase === 'done' ? [...failed, { holds: true, reason }] : failed);
    }
    return JSON.stringify(recordedRunOf(run, recordings, verdicts), null, 1);
  }
}
