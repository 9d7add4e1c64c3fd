/** The console of programs: the text, earlier programs, and what they printed and returned. */

import type { SessionsControl } from '../../../../agent/create-agent.ts';
import type { ToolFunction } from '../../../../agent/programs/tool-functions.ts';
import { isStrings, parseJson } from '../../../../runtime/spec/guards.ts';
import { recall, remember } from '../../../../runtime/spec/browser-storage.ts';
import type { Memory } from '../../shell/preferences.svelte.ts';
import type { Run, Runs } from '../runs/runs.svelte.ts';

const key = 'cloche:programs';
/** Limits of stored programs, and of those whose results are shown. */
const maxStored = 50;
const maxStoredChars = 200_000;
const maxShown = 20;

export interface ProgramRun {
  readonly run: Run;
  readonly code: string;
}

export interface ConsoleDeps {
  readonly runs: Pick<Runs, 'follow' | 'stop'>;
  readonly sessions: () => Promise<Pick<SessionsControl, 'programs'>>;
  /** Null if the browser denies storage. */
  readonly memory: Memory | null;
}

export class ProgramConsole {
  readonly #deps: ConsoleDeps;
  text: string = $state('');
  /** Increases when the text was not typed. */
  version: number = $state(0);
  keep: boolean = $state(true);
  /** The latest program first. */
  runs: readonly ProgramRun[] = $state.raw([]);
  /** Why the code of sessions has not loaded; empty if it has. */
  fault: string = $state('');
  /** Runs programs; null until it has loaded. */
  #programs: SessionsControl['programs'] | null = null;
  /** The latest program last. */
  #earlier: readonly string[];
  #place: number = $state(0);
  /** The text that was typed before an earlier program took its place. */
  #unsaved = '';

  constructor(deps: ConsoleDeps) {
    this.#deps = deps;
    const stored = parseJson(recall(deps.memory, key));
    this.#earlier = isStrings(stored) ? stored : [];
    this.#place = this.#earlier.length;
  }

  /** The program that has not ended, if any. */
  get running(): Run | undefined {
    return this.runs.find(({ run }) => run.result === null)?.run;
  }

  get hasEarlier(): boolean {
    return this.#place > 0;
  }

  get hasLater(): boolean {
    return this.#place < this.#earlier.length;
  }

  /** Puts an earlier program into the editor, or a later one, and last the text that was there. @returns false if there is none */
  recall(step: -1 | 1): boolean {
    if (step < 0 ? !this.hasEarlier : !this.hasLater) return false;
    if (!this.hasLater) this.#unsaved = this.text;
    this.#place += step;
    this.text = this.#earlier[this.#place] ?? this.#unsaved;
    this.version += 1;
    return true;
  }

  /** The functions that a program can call, once the console has loaded. @param session null for those of the folder */
  functions(session: string | null): readonly ToolFunction[] {
    return this.#programs?.functions(session) ?? [];
  }

  /** Loads what runs programs. @returns null if it cannot be loaded, as `fault` says */
  async load(): Promise<SessionsControl['programs'] | null> {
    try {
      this.#programs ??= (await this.#deps.sessions()).programs;
      this.fault = '';
    } catch {
      this.fault = 'The console could not be loaded. Check your connection, then try again.';
    }
    return this.#programs;
  }

  async run(session: string | null): Promise<void> {
    const code = this.text;
    if (code.trim() === '' || this.running !== undefined) return;
    this.#store(code);
    const programs = await this.load();
    if (programs === null) return;
    const program = { code, keep: this.keep, session };
    const call = programs.callOf(program);
    const run = this.#deps.runs.follow(call);
    this.runs = [{ run, code }, ...this.runs].slice(0, maxShown);
    await programs.run(new AbortController().signal, call, program);
  }

  stop(): void {
    const { running } = this;
    if (running !== undefined) this.#deps.runs.stop(running);
  }

  /** Forgets the results, because another folder is open, whose tools may have the same names. */
  clear(): void {
    this.stop();
    this.runs = [];
  }

  #store(code: string): void {
    const kept = [...this.#earlier.filter((other) => other !== code), code].slice(-maxStored);
    while (kept.join('').length > maxStoredChars) kept.shift();
    this.#earlier = kept;
    this.#place = this.#earlier.length;
    remember(this.#deps.memory, key, JSON.stringify(this.#earlier));
  }
}
