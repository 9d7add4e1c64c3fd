/** Says when a run has ended: in the page always, and by the system if the user has asked for it. */

import type { PlanRuns } from '../../runner/plan-runs.ts';
import type { RunState } from '../../runner/run-record.ts';

export interface RunNotice {
  readonly run: string;
  readonly goal: string;
  readonly phase: RunState['phase'];
}

export type SystemNotices = 'unavailable' | 'off' | 'on' | 'denied';

export class RunNotices {
  #last: RunNotice | null = $state.raw(null);
  #system: SystemNotices = $state('unavailable');
  /** The runs that this page carries out. */
  readonly #active = new Set<string>();
  readonly #stop: () => void;

  constructor(runs: Pick<PlanRuns, 'observe' | 'isActive'>) {
    this.#system = systemNotices();
    this.#stop = runs.observe((run) => {
      if (runs.isActive(run.id)) this.#active.add(run.id);
      else if (this.#active.delete(run.id)) this.#tell(run);
    });
  }

  /** The run that has ended last, until it is dismissed. */
  get last(): RunNotice | null {
    return this.#last;
  }

  get system(): SystemNotices {
    return this.#system;
  }

  dismiss(): void {
    this.#last = null;
  }

  /** Asks the browser, since the user has asked for notifications. */
  async askSystem(): Promise<void> {
    if (this.#system === 'unavailable') return;
    await Notification.requestPermission();
    this.#system = systemNotices();
  }

  dispose(): void {
    this.#stop();
  }

  #tell({ id, plan, phase }: RunState): void {
    if (phase === 'stopped') return;
    this.#last = { run: id, goal: plan.goal.slice(0, 200), phase };
    if (this.#system !== 'on' || document.visibilityState === 'visible') return;
    const words = phase === 'done' ? 'The plan is done' : 'The plan needs your attention';
    const notification = new Notification(words, { body: plan.goal.slice(0, 200), tag: id });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  }
}

function systemNotices(): SystemNotices {
  if (!('Notification' in window)) return 'unavailable';
  const { permission } = Notification;
  return permission === 'default' ? 'off' : permission === 'granted' ? 'on' : 'denied';
}
