/** The state of the panel with the logged messages: the chosen filters, and the messages that match. */

import { Observed } from '../parts/observed.ts';
import { nameWithDay, saveFile } from '../parts/save-file.ts';
import type { LogEntry, MessageLog } from './message-log.ts';

/** Shortest interval between two updates of the panel; milliseconds. */
const updateMs = 250;
/** Number of messages that are shown at first, and that “Show more” adds. */
const page = 100;

export class MessageView {
  readonly #log: MessageLog;
  readonly #read: Observed<{ entries: readonly LogEntry[]; skipped: number; isPaused: boolean }>;
  /** A channel, or empty for all. */
  channel = $state('');
  text = $state('');
  #max = $state(page);
  readonly #matching = $derived.by(() => {
    const wanted = this.text.toLowerCase();
    return this.#read.current.entries.filter(
      (entry) =>
        (this.channel === '' || entry.channel === this.channel) &&
        (wanted === '' || entry.line.toLowerCase().includes(wanted)),
    );
  });

  constructor(log: MessageLog) {
    this.#log = log;
    const read = (): { entries: readonly LogEntry[]; skipped: number; isPaused: boolean } => ({
      entries: log.entries,
      skipped: log.skipped,
      isPaused: log.isPaused,
    });
    this.#read = new Observed(read, log, updateMs);
  }

  /** The newest messages that match, the newest first. */
  get shown(): readonly LogEntry[] {
    return this.#matching.slice(-this.#max).reverse();
  }

  /** Number of messages that match. */
  get count(): number {
    return this.#matching.length;
  }

  get skipped(): number {
    return this.#read.current.skipped;
  }

  get isPaused(): boolean {
    return this.#read.current.isPaused;
  }

  pause(isPaused: boolean): void {
    this.#log.pause(isPaused);
    this.#read.refresh();
  }

  clear(): void {
    this.#log.clear();
    this.#max = page;
    this.#read.refresh();
  }

  showMore(): void {
    this.#max += page;
  }

  /** Saves all messages that match, the oldest first. */
  save(): void {
    const lines = this.#matching.map((entry) => `${entry.line}\n`).join('');
    saveFile(nameWithDay('messages', Date.now(), '.txt'), lines);
  }
}
