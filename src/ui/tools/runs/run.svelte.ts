/** One run of a tool that a person started, from the press of the button to its result. */

import type { CallEvent, ToolCall } from '../../../spec/call.ts';
import type { ToolResult } from '../../../spec/result.ts';
import { coalesced } from '../../../async/coalesce.ts';
import { noOutput, withStream, type LiveOutput } from './live-output.ts';

export type RunPhase = 'queued' | 'running' | 'ended';

/** Milliseconds between two pictures of a stream: text that changes faster cannot be read. */
const pictureMs = 80;

export class Run {
  readonly call: ToolCall;
  /** Milliseconds since the epoch; the start of the run itself once its turn has come. */
  #since: number = $state(0);
  #phase: RunPhase = $state('queued');
  #live: LiveOutput = $state.raw(noOutput);
  #result: ToolResult | null = $state.raw(null);
  #stopping: boolean = $state(false);
  #newest = noOutput;
  readonly #show = coalesced(() => {
    this.#live = this.#newest;
  }, pictureMs);

  constructor(call: ToolCall, at: number) {
    this.call = call;
    this.#since = at;
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  get since(): number {
    return this.#since;
  }

  get live(): LiveOutput {
    return this.#live;
  }

  /** Null until the run has ended. */
  get result(): ToolResult | null {
    return this.#result;
  }

  /** Stop was pressed, and the run has not ended yet. */
  get stopping(): boolean {
    return this.#stopping && this.#phase !== 'ended';
  }

  /** Stop was pressed. */
  markStopping(): void {
    this.#stopping = true;
  }

  /** Takes in an event of this call. */
  take(event: CallEvent): void {
    switch (event.type) {
      case 'call-queued':
      case 'call-answered':
        break;
      case 'call-started':
        this.#phase = 'running';
        this.#since = event.at;
        break;
      case 'call-stream':
        this.#newest = withStream(this.#newest, event.stream);
        this.#show();
        break;
      case 'call-ended':
        this.#show.cancel();
        this.#live = this.#newest;
        this.#result = event.result;
        this.#phase = 'ended';
    }
  }
}
