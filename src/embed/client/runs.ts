/** The client's part for runs of plans. */

import { createProblem, read, encodeSegment, type Requests } from './answers.ts';
import { ClocheError } from './client-error.ts';
import { serverEvents } from './server-events.ts';
import type { Run, RunEvent, RunHead } from '../../runtime/protocol/api-types.ts';

/** The runs of plans. Pages of another origin cannot use them. */
export class Runs {
  readonly #cloche: Requests;

  constructor(cloche: Requests) {
    this.#cloche = cloche;
  }

  /** Returns the runs, newest first. */
  async list(signal?: AbortSignal): Promise<readonly RunHead[]> {
    const path = 'runs';
    return (await this.#cloche.json<{ runs: readonly RunHead[] }>({ method: 'GET', path, signal }))
      .runs;
  }

  /** Starts a run. @param plan an object; or text, as JSON or YAML */
  async start(
    plan: object | string,
    { session = '', signal }: { session?: string; signal?: AbortSignal } = {},
  ): Promise<Run> {
    const body = JSON.stringify({ plan, session });
    return this.#cloche.json<Run>({ method: 'POST', path: 'runs', body, signal });
  }

  async get(id: string, signal?: AbortSignal): Promise<Run> {
    return this.#cloche.json<Run>({ method: 'GET', path: `runs/${encodeSegment(id)}`, signal });
  }

  /** Yields what happens in a run, and at last the run; leaving the loop does not stop it. */
  async *watch(id: string, signal?: AbortSignal): AsyncGenerator<RunEvent, void, undefined> {
    let last = '';
    for (;;) {
      const after = last === '' ? {} : { 'Last-Event-ID': last };
      const headers = { Accept: 'text/event-stream', ...after };
      const path = `runs/${encodeSegment(id)}`;
      const response = await this.#cloche.request({ method: 'GET', path, headers, signal });
      if (response.status !== 200 || response.body === null) await read(response);
      let isRunning = false;
      for await (const event of serverEvents(response.body ?? new ReadableStream())) {
        const data: unknown = JSON.parse(event.data);
        if (event.name === 'error') throw createProblem(data, 503);
        if (event.name === 'result') {
          yield { type: 'result', run: data as Run };
          return;
        }
        if (event.name === 'running') isRunning = true;
        else {
          last = event.id;
          yield { type: 'event', name: event.name, data };
        }
      }
      if (!isRunning) throw new ClocheError('bad-answer', 'The stream of the run broke off.');
    }
  }

  async stop(id: string, signal?: AbortSignal): Promise<Run> {
    return this.#cloche.json<Run>({ method: 'DELETE', path: `runs/${encodeSegment(id)}`, signal });
  }
}
