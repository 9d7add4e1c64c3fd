/** The calls that run in one interpreter: who is told of what each streams, asks and ends with. */

import type { Ask, AskAnswer } from '../protocol/ask.ts';
import type { FromBroker, Loss, OrLost, PythonOutcome, ToBroker } from '../protocol/frame.ts';
import { putTexts, type TextPiece } from '../protocol/long-texts.ts';
import { defaultLimits } from '../spec/limits.ts';
import type { Stream } from '../spec/result.ts';

/** Characters of the long texts of one outcome: what the broker takes of the tool worker, and what it has streamed. */
const mostTextChars = 3 * defaultLimits.valueChars;

interface CallEars {
  readonly onStream: (stream: Stream) => void;
  /** Answers what the call asks; never rejects. */
  readonly answer: (n: number, ask: Ask) => Promise<AskAnswer>;
}

export interface CallWatch extends Pick<CallEars, 'answer'> {
  /** Absent: nobody watches while it runs. */
  readonly onStream?: (stream: Stream) => void;
}

interface Running extends CallEars {
  readonly settle: (outcome: OrLost<PythonOutcome>) => void;
  /** Long texts of its outcome, as far as they have come. */
  readonly texts: Map<number, string>;
  textRoom: number;
}

export class RunningCalls {
  readonly #say: (message: ToBroker, transfer?: Transferable[]) => void;
  readonly #calls = new Map<number, Running>();

  constructor(say: (message: ToBroker, transfer?: Transferable[]) => void) {
    this.#say = say;
  }

  /** Settles once, with the outcome or the loss. */
  begin(id: number, ears: CallEars): Promise<OrLost<PythonOutcome>> {
    return new Promise((settle) => {
      this.#calls.set(id, { ...ears, settle, texts: new Map(), textRoom: mostTextChars });
    });
  }

  take(message: Extract<FromBroker, { readonly id: number }>): void {
    const call = this.#calls.get(message.id);
    switch (message.type) {
      case 'stream':
        call?.onStream(message.stream);
        this.#say({ type: 'credit', id: message.id });
        return;
      case 'ask':
        if (call) void this.#answer(message.id, message.n, call.answer(message.n, message.ask));
        return;
      case 'text':
        if (call) this.#text(message.id, call, message.piece);
        return;
      case 'outcome':
        this.#calls.delete(message.id);
        call?.settle(putTexts(message.outcome, call.texts));
    }
  }

  /** Whether the outcome of a call is on its way. */
  get arriving(): boolean {
    return [...this.#calls.values()].some(({ texts }) => texts.size > 0);
  }

  lose(loss: Loss): void {
    for (const { settle } of this.#calls.values()) settle({ ok: false, loss });
    this.#calls.clear();
  }

  #text(id: number, call: Running, { nth, text }: TextPiece): void {
    call.textRoom -= text.length;
    if (call.textRoom < 0) {
      this.#calls.delete(id);
      const detail = 'sent more than the limit in one result';
      call.settle({ ok: false, loss: { reason: 'protocol', detail } });
      return;
    }
    call.texts.set(nth, (call.texts.get(nth) ?? '') + text);
    this.#say({ type: 'taken', id });
  }

  async #answer(id: number, n: number, asked: Promise<AskAnswer>): Promise<void> {
    const answer = await asked;
    if (!this.#calls.has(id)) return;
    const transfer = answer.answer === 'bytes' ? [answer.bytes.buffer] : [];
    this.#say({ type: 'answer', id, n, answer }, transfer);
  }
}
