/** A fake worker at the other end of a channel, for tests of code that uses a worker. */

import { expose } from 'comlink';

export class FakeWorker extends EventTarget {
  /** Ids of cancelled requests. */
  readonly cancelled: number[] = [];
  terminated = false;
  readonly #ports = new MessageChannel();

  /** @param methods the methods that the worker answers, besides `cancel` */
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
