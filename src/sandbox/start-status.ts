/** What the person is told of Python's starts, of those that somebody waits for. */

export type OnStatus = (state: 'off' | 'starting' | 'ready' | 'failed', text: string) => void;

export class StartStatus {
  readonly #tell: OnStatus;
  #underWay = 0;
  #settled: 'off' | 'ready' = 'off';

  constructor(tell: OnStatus) {
    this.#tell = tell;
  }

  began(): void {
    this.#underWay += 1;
  }

  isAt(step: string): void {
    this.#tell('starting', step);
  }

  ready(): void {
    this.#underWay -= 1;
    this.#settled = 'ready';
    this.#tell('ready', '');
  }

  failed(why: string): void {
    this.#underWay -= 1;
    this.#tell('failed', why);
  }

  /** Nobody waits for it any more: where none else is under way, it is as it was before. */
  aborted(): void {
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#tell(this.#settled, '');
  }
}
