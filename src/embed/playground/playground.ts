/** A playground: its source as text until somebody wants Python, then the whole one, which is loaded for that. */

import type {
  PlaygroundResult,
  PlaygroundSetup,
  ToPlayground,
} from '../../runtime/protocol/embed.ts';
import { applyLook, wordsOf } from './apply-look.ts';
import { plainView } from './plain-view.ts';
import type { PlaygroundDeps, WholePlayground } from './playground-deps.ts';

export class Playground {
  readonly #deps: PlaygroundDeps;
  #setup: PlaygroundSetup;
  #whole: Promise<WholePlayground> | null = null;
  #isOpen = false;

  constructor(deps: PlaygroundDeps) {
    this.#deps = deps;
    this.#setup = deps.setup;
    applyLook(deps.window.document.documentElement, this.#setup.look);
    this.#showPlain();
  }

  /**
   * Runs it if it runs by itself, and shows the form of the arguments, without Python.
   * @returns when all of this is shown, or cannot be
   */
  async begin(): Promise<void> {
    const { autorun, recording, view } = this.#setup;
    if (recording !== '') return;
    if (autorun) this.#want((whole) => whole.run());
    else if (view !== 'result') this.#whole ??= this.#open();
    await this.#whole?.catch(() => undefined);
  }

  take(message: ToPlayground): void {
    switch (message.type) {
      case 'run':
        this.#answer(
          message.id,
          this.#load().then((whole) => whole.run()),
        );
        break;
      case 'cancel':
        void this.#whole?.then((whole) => whole.cancel());
        break;
      case 'files':
        this.#setup = { ...this.#setup, files: message.files };
        this.#change(message.id, (whole) => whole.setFiles(message.files));
        break;
      case 'arguments':
        this.#setup = { ...this.#setup, arguments: message.arguments };
        this.#change(message.id, (whole) => whole.setArguments(message.arguments));
        break;
      case 'look':
        this.#setup = { ...this.#setup, look: message.look };
        applyLook(this.#deps.window.document.documentElement, message.look);
        if (this.#whole === null) this.#showPlain();
        else void this.#whole.then((whole) => whole.setWords(wordsOf(message.look)));
    }
  }

  #change(id: number, change: (whole: WholePlayground) => void): void {
    if (this.#whole === null) this.#showPlain();
    this.#answer(
      id,
      this.#whole === null
        ? Promise.resolve(undefined)
        : this.#whole.then((whole) => {
            change(whole);
            return undefined;
          }),
    );
  }

  #answer(id: number, work: Promise<PlaygroundResult | undefined>): void {
    const { send } = this.#deps;
    work.then(
      (result) => send({ type: 'answer', id, result: result ?? null, failed: null }),
      (thrown: unknown) => send({ type: 'answer', id, result: null, failed: errorText(thrown) }),
    );
  }

  #showPlain(): void {
    const { target } = this.#deps;
    plainView(target, this.#setup, {
      run: () => this.#want((whole) => whole.run(true)),
      edit: () => this.#want((whole) => whole.edit()),
      // A recording is shown before it is played.
      play: () => this.#want((whole) => whole.open()),
    });
  }

  #want(then: (whole: WholePlayground) => unknown): void {
    // The playground shows and reports why it cannot run.
    this.#load()
      .then(then)
      .catch(() => undefined);
  }

  /** Loads the whole playground, and says so, because somebody waits for it. */
  #load(): Promise<WholePlayground> {
    const { target, send, window } = this.#deps;
    const busy = window.document.createElement('p');
    busy.className = 'note soft';
    busy.setAttribute('role', 'status');
    busy.textContent = 'Loading';
    if (!this.#isOpen) target.append(busy);
    const whole = (this.#whole ??= this.#open());
    whole.catch(() => {
      const message = 'The playground could not be loaded';
      const hint = 'Check your connection, and try again.';
      busy.textContent = `${message}. ${hint}`;
      send({ type: 'error', code: 'not-loaded', message, hint });
    });
    return whole;
  }

  #open(): Promise<WholePlayground> {
    const { target, send, base, window } = this.#deps;
    const whole = import('./open-whole.ts').then(({ openWhole }) => {
      this.#isOpen = true;
      return openWhole({ target, setup: this.#setup, send, base, window });
    });
    // The next attempt loads it again.
    whole.catch(() => (this.#whole = null));
    return whole;
  }
}

function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
