/** Sends values one at a time, and only the latest of those that wait, so that no rate of changes fills the wire. */

interface Held<Value> {
  value: Value;
  readonly done: Promise<void>;
  readonly settle: (sent: Promise<unknown>) => void;
}

/** Milliseconds after an answer until the next value is sent. */
const pauseMs = 50;

export class LatestOnly<Value> {
  readonly #deliver: (value: Value) => Promise<unknown>;
  #busy = 0;
  #held: Held<Value> | null = null;

  /** @param deliver sends a value; resolves with its answer */
  constructor(deliver: (value: Value) => Promise<unknown>) {
    this.#deliver = deliver;
  }

  /** Resolves when the value, or one that has overtaken it, is answered; rejects if that fails. */
  async send(value: Value): Promise<void> {
    if (this.#busy === 0) {
      await this.#deliverNow(value);
      return;
    }
    if (this.#held === null) {
      let settle: Held<Value>['settle'] = () => undefined;
      const done = new Promise<unknown>((resolve) => {
        settle = resolve;
      }).then(() => undefined);
      this.#held = { value, done, settle };
    } else this.#held.value = value;
    await this.#held.done;
  }

  /** Sends the value that waits, if there is one, before something that depends on it. */
  flush(): void {
    const held = this.#held;
    this.#held = null;
    held?.settle(this.#deliverNow(held.value));
  }

  #deliverNow(value: Value): Promise<unknown> {
    this.#busy += 1;
    const answered = this.#deliver(value);
    const endDelivery = (): void => {
      setTimeout(() => {
        this.#busy -= 1;
        if (this.#busy === 0) this.flush();
      }, pauseMs);
    };
    answered.then(endDelivery, endDelivery);
    return answered;
  }
}
