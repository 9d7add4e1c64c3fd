/** Records what a call streams, within the limits, which a hostile tool worker cannot exceed. */

import type { Streamed } from './frame.ts';
import type { Limits } from '../spec/limits.ts';
import type { LogLine, Stream, Update } from '../spec/result.ts';

/** Limits for all stored updates, and all stored log lines, of one call; characters. */
const updateChars = 16 * 1024 * 1024;
const logChars = 1_000_000;

export class StreamRecord {
  readonly #limits: Limits;
  readonly #updates: Update[] = [];
  /** The latest update after the stored ones have reached a limit. Each such update replaces the one before it. */
  #latest: Update | null = null;
  #updateRoom = updateChars;
  #dropped = 0;
  readonly #out: string[] = [];
  readonly #err: string[] = [];
  #outputRoom: number;
  #outputDropped = 0;
  readonly #log: LogLine[] = [];
  #logRoom = logChars;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#outputRoom = limits.outputChars;
  }

  add(stream: Stream): void {
    for (const update of stream.updates) this.#addUpdate(update);
    this.#dropped += stream.dropped;
    this.#print(this.#out, stream.out);
    this.#print(this.#err, stream.err);
    for (const line of stream.log) {
      this.#logRoom -= line.message.length + line.level.length + 1;
      if (this.#logRoom >= 0) this.#log.push(line);
    }
  }

  /** @param outputDropped characters of output that the tool worker dropped itself */
  streamed(outputDropped = 0): Streamed {
    return {
      updates: this.#latest ? [...this.#updates, this.#latest] : [...this.#updates],
      updatesDropped: this.#dropped,
      stdout: this.#out.join(''),
      stderr: this.#err.join(''),
      outputDropped: this.#outputDropped + outputDropped,
      log: [...this.#log],
    };
  }

  #addUpdate(update: Update): void {
    const fits = this.#updates.length < this.#limits.updates && this.#updateRoom >= 0;
    if (fits && this.#latest === null) {
      this.#updateRoom -= update.json.length;
      this.#updates.push(update);
      return;
    }
    if (this.#latest) this.#dropped += 1;
    this.#latest = update;
  }

  #print(stored: string[], text: string): void {
    if (text === '') return;
    const taken = text.slice(0, Math.max(0, this.#outputRoom));
    this.#outputRoom -= text.length;
    this.#outputDropped += text.length - taken.length;
    if (taken !== '') stored.push(taken);
  }
}
