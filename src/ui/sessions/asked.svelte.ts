/** Which calls wait for the person's answer. */

import type { PolicyControl } from '../policy/policy-control.ts';

export class Asked {
  #calls: ReadonlySet<string> = $state.raw(new Set());
  #stop: () => void = () => undefined;
  #over = false;

  constructor(policy: Promise<Pick<PolicyControl, 'questions'>>) {
    void policy.then(({ questions }) => {
      if (this.#over) return;
      const read = (): void => {
        this.#calls = new Set(questions.list().map(({ callId }) => callId));
      };
      read();
      this.#stop = questions.observe(read);
    });
  }

  has(callId: string): boolean {
    return this.#calls.has(callId);
  }

  dispose(): void {
    this.#over = true;
    this.#stop();
  }
}
