/** Plays a recording in a playground: its messages and answers as recorded, its calls live. Nothing is sent or stored. */

import { recording as isRecording } from 'virtual:cloche/page-validators';
import {
  readRecording,
  type RecordedCall,
  type RecordedTurn,
  type Recording,
} from '../../runtime/spec/recording.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { Run } from '../../app/ui/tools/runs/runs.svelte.ts';
import type { PlaygroundState } from './playground-state.svelte.ts';

/** The entries of a recording that are shown, in order. */
export type PlayedEntry =
  | { readonly type: 'message'; readonly parts: RecordedTurn['message'] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'call';
      readonly call: RecordedCall;
      readonly run: Run | null;
      readonly result: ToolResult | null;
      readonly failed: string;
    };

export type PlayedCall = Extract<PlayedEntry, { type: 'call' }>;

/** Milliseconds before the next message or answer appears. */
const pauseMs = 500;

export class RecordingPlayer {
  readonly #state: Pick<PlaygroundState, 'call' | 'cancel'>;
  readonly recording: Recording | null;
  readonly fault: string;
  #entries: readonly PlayedEntry[] = $state.raw([]);
  #isPlaying: boolean = $state(false);
  #isDone: boolean = $state(false);
  #next = 0;

  constructor(text: string, state: Pick<PlaygroundState, 'call' | 'cancel'>) {
    this.#state = state;
    let recording: Recording | null = null;
    let fault = '';
    try {
      recording = readRecording(text, isRecording);
    } catch (thrown) {
      fault = errorText(thrown);
    }
    this.recording = recording;
    this.fault = fault;
  }

  get entries(): readonly PlayedEntry[] {
    return this.#entries;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Plays from where it was stopped, or from the start. */
  async play(): Promise<void> {
    if (this.#isPlaying || this.recording === null) return;
    if (this.#isDone) {
      this.#entries = [];
      this.#next = 0;
      this.#isDone = false;
    }
    this.#isPlaying = true;
    const steps = stepsOf(this.recording);
    for (const step of steps.slice(this.#next)) {
      if (!this.isPlaying) break;
      this.#next += 1;
      await this.#show(step);
    }
    if (this.#next >= steps.length) this.#isDone = true;
    this.#isPlaying = false;
  }

  stop(): void {
    this.#isPlaying = false;
    this.#state.cancel();
  }

  async #show(step: PlayedEntry): Promise<void> {
    const before = this.#entries;
    this.#entries = [...before, step];
    if (step.type !== 'call') {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return;
    }
    const { call } = step;
    try {
      const { run, result } = await this.#state.call(call.tool, call.arguments);
      this.#entries = [...before, { ...step, run, result }];
    } catch (thrown) {
      this.#entries = [...before, { ...step, failed: errorText(thrown) }];
    }
  }
}

function stepsOf({ turns }: Recording): PlayedEntry[] {
  return turns.flatMap(({ message, steps }): PlayedEntry[] => [
    { type: 'message', parts: message },
    ...steps.flatMap(({ parts }) =>
      parts.map((part): PlayedEntry =>
        part.type === 'call'
          ? { type: 'call', call: part, run: null, result: null, failed: '' }
          : { type: part.type, text: part.text },
      ),
    ),
  ]);
}
