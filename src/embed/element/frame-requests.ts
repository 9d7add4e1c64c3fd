/** Requests to the frame that have not been answered. Those made before the frame is ready wait until it is. */

import type { PlaygroundResult, ToPlayground } from '../../runtime/protocol/embed.ts';

type Request = Extract<ToPlayground, { id: number }>;
export type Unnumbered<Each = Request> = Each extends Request ? Omit<Each, 'id'> : never;

interface Waiting {
  readonly resolve: (result: PlaygroundResult | null) => void;
  readonly reject: (error: Error) => void;
  readonly request: Request;
}

const stopped =
  'The playground was changed while the tool ran, so the run was stopped. The tool may already have had effects.';

export class FrameRequests {
  readonly #send: (request: Request) => void;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #isReady = false;
  #unsent: Request[] = [];
  /** Changes of files and arguments that need not be sent, since the next frame starts with the current ones. */
  #obsolete: number[] = [];

  constructor(send: (request: Request) => void) {
    this.#send = send;
  }

  ask(request: Unnumbered): Promise<PlaygroundResult | null> {
    const id = (this.#last += 1);
    const numbered = { ...request, id } as Request;
    if (this.#isReady) this.#send(numbered);
    else this.#unsent.push(numbered);
    return new Promise((resolve, reject) =>
      this.#waiting.set(id, { resolve, reject, request: numbered }),
    );
  }

  /**
   * Continues with another frame, which gets the current files and arguments, and the runs that
   * were not sent. A run that was sent is rejected, because its tool may have had effects, which
   * would happen twice.
   */
  restart(): void {
    this.#isReady = false;
    this.#unsent = this.#unsent.filter(({ type }) => type === 'run');
    for (const [id, { request }] of this.#waiting)
      if (request.type !== 'run') this.#obsolete.push(id);
      else if (!this.#unsent.includes(request)) this.answer(id, null, stopped);
  }

  /** Sends the requests that have waited for the frame. */
  ready(): void {
    this.#isReady = true;
    for (const id of this.#obsolete.splice(0)) this.answer(id, null, null);
    for (const request of this.#unsent.splice(0)) this.#send(request);
  }

  answer(id: number, result: PlaygroundResult | null, failed: string | null): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failed === null) waiting?.resolve(result);
    else waiting?.reject(new Error(failed));
  }

  /** Rejects runs that have not been sent to the frame. */
  cancelUnsent(): void {
    const runs = this.#unsent.filter(({ type }) => type === 'run');
    this.#unsent = this.#unsent.filter((each) => !runs.includes(each));
    for (const { id } of runs) this.answer(id, null, 'The run was cancelled.');
  }

  /** Rejects all requests, because the frame is gone. */
  close(reason: string): void {
    this.#isReady = false;
    this.#unsent = [];
    this.#obsolete = [];
    for (const id of [...this.#waiting.keys()]) this.answer(id, null, reason);
  }
}
