/** The interpreters of whatever folder is open, for who watches them. */

import type { InterpreterList } from './app-types.ts';
import { createObservers } from './hooks/observe.ts';
import type { InterpreterView } from './spec/interpreter.ts';

export class InterpreterHolder implements InterpreterList {
  readonly #observers;
  #followed: InterpreterList | null = null;
  #unfollow: () => void = () => undefined;

  /** @param report told of what listeners throw */
  constructor(report: (thrown: unknown) => void) {
    this.#observers = createObservers<readonly InterpreterView[]>(report);
  }

  /** Tells of these from now on; null: there are none. */
  follow(list: InterpreterList | null): void {
    this.#unfollow();
    this.#followed = list;
    this.#unfollow =
      list?.observe((views) => {
        this.#observers.emit(views);
      }) ?? (() => undefined);
    this.#observers.emit(this.list());
  }

  list(): readonly InterpreterView[] {
    return this.#followed?.list() ?? [];
  }

  observe(listener: (views: readonly InterpreterView[]) => void): () => void {
    return this.#observers.observe(listener);
  }
}
