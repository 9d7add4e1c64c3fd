/** A worker of ours at the other end of a channel, for tests of what asks it. */

import { expose } from 'comlink';

export class FakeWorker extends EventTarget {
  /** Ids of what was cancelled. */
  readonly cancelled: number[] = [];
  terminated = false;
  readonly #ports = new MessageChannel();

  /** @param methods what it answers; `cancel` is here already */
  constructor(methods: object) {
    super();
    const cancel = (id: number): void => void this.cancelled.push(id);
    expose({ cancel, ...methods }, this.#ports.port1);
    this.#ports.port2.start();
  }

  postMessage(...given: Parameters<MessagePort['postMessage']>): void {
    if (!this.terminated) this.#ports.port2.postMessage(...given);
  }

  override addEventListener(type: string, ...rest: [listener: EventListener]): void {
    if (type === 'message') this.#ports.port2.addEventListener(type, ...rest);
    else super.addEventListener(type, ...rest);
  }

  terminate(): void {
    this.terminated = true;
    this.#ports.port1.close();
  }
}
