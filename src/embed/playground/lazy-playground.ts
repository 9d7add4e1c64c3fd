/** Shows the source of a playground as text, and loads the full playground when the reader wants Python. */

import type {
  PlaygroundResult,
  PlaygroundSetup,
  ToPlayground,
} from '../../runtime/protocol/embed.ts';
import { applyLook, wordsOf } from './apply-look.ts';
import type { FullPlayground, PlaygroundDeps } from './full-playground.ts';
import { isLink } from './parameters.ts';
import { quickPieces, textPieces } from '../../app/ui/parts/cut-text.ts';
import { spellOut, visibleText, type VisibleText } from '../../app/ui/parts/visible-text.ts';

export class Playground {
  readonly #deps: PlaygroundDeps;
  #setup: PlaygroundSetup;
  #full: Promise<FullPlayground> | null = null;
  #isOpen = false;

  constructor(deps: PlaygroundDeps) {
    this.#deps = deps;
    this.#setup = deps.setup;
    applyLook(deps.window.document.documentElement, this.#setup.look);
    this.#showPlain();
  }

  /**
   * Shows what needs no click: a run if the setup asks for one, else the form of the arguments, which needs no Python.
   * @returns when it is shown, or cannot be shown
   */
  async begin(): Promise<void> {
    const { autorun, recording, view } = this.#setup;
    if (recording !== '') return;
    if (autorun) this.#want((full) => full.run());
    else if (view !== 'result') this.#full ??= this.#open();
    await this.#full?.catch(() => undefined);
  }

  take(message: ToPlayground): void {
    switch (message.type) {
      case 'run':
        this.#answer(
          message.id,
          this.#load().then((full) => full.run()),
        );
        break;
      case 'cancel':
        void this.#full?.then((full) => full.cancel());
        break;
      case 'files':
        this.#setup = { ...this.#setup, files: message.files };
        this.#change(message.id, (full) => full.setFiles(message.files));
        break;
      case 'arguments':
        this.#setup = { ...this.#setup, arguments: message.arguments };
        this.#change(message.id, (full) => full.setArguments(message.arguments));
        break;
      case 'look':
        this.#setup = { ...this.#setup, look: message.look };
        applyLook(this.#deps.window.document.documentElement, message.look);
        if (this.#full === null) this.#showPlain();
        else void this.#full.then((full) => full.setWords(wordsOf(message.look)));
    }
  }

  #change(id: number, change: (full: FullPlayground) => void): void {
    if (this.#full === null) this.#showPlain();
    this.#answer(
      id,
      this.#full === null
        ? Promise.resolve(undefined)
        : this.#full.then((full) => {
            change(full);
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
    showPlain(target, this.#setup, {
      // If the playground is a link, this only loads the full playground, whose own Run ignores an immediate press.
      // @mutant playground: a press at once on Run of a link runs nothing => without isLink() || [app
      //   tests/threats/starts.test.ts row 40: a playground that is a link runs nothing by itself or at once]
      run: () => this.#want((full) => isLink() || full.run('reader')),
      edit: () => this.#want((full) => full.edit()),
      // A recording is shown before it is played.
      play: () => this.#want((full) => full.open()),
    });
  }

  #want(then: (full: FullPlayground) => unknown): void {
    // The full playground shows and reports why it cannot run.
    this.#load()
      .then(then)
      .catch(() => undefined);
  }

  /** Loads the full playground, and shows “Loading” until then, because the reader waits for it. */
  #load(): Promise<FullPlayground> {
    const { target, send, window } = this.#deps;
    const busy = window.document.createElement('p');
    busy.className = 'note soft';
    busy.setAttribute('role', 'status');
    busy.textContent = 'Loading';
    if (!this.#isOpen) target.append(busy);
    const full = (this.#full ??= this.#open());
    full.catch(() => {
      const message = 'The playground could not be loaded';
      const hint = 'Check your connection, and try again.';
      busy.textContent = `${message}. ${hint}`;
      send({ type: 'error', code: 'not-loaded', message, hint });
    });
    return full;
  }

  #open(): Promise<FullPlayground> {
    const { target, send, base, window } = this.#deps;
    const full = import('./full-playground.ts').then(({ openFullPlayground }) => {
      this.#isOpen = true;
      return openFullPlayground({ target, setup: this.#setup, send, base, window });
    });
    // The next attempt loads it again.
    full.catch(() => (this.#full = null));
    return full;
  }
}

function errorText(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

interface PlainActions {
  readonly run: () => void;
  readonly edit: () => void;
  readonly play: () => void;
}

/** Replaces the content of `target` with the source as text, and the buttons. The focus stays on the same button. */
function showPlain(target: HTMLElement, setup: PlaygroundSetup, actions: PlainActions): void {
  const { files, tool, view, readonly, recording } = setup;
  const words = wordsOf(setup.look);
  const document = target.ownerDocument;
  const focused = target.contains(document.activeElement)
    ? document.activeElement?.className
    : null;
  const element = (tag: string, className: string, text: VisibleText): HTMLElement => {
    const created = document.createElement(tag);
    created.className = className;
    created.textContent = text;
    return created;
  };
  const source = (text: string): HTMLElement => {
    const block = document.createElement('pre');
    block.className = 'plain-source';
    for (const piece of quickPieces(textPieces(text)))
      block.append(element('span', 'piece', spellOut(piece)));
    return block;
  };
  const button = (className: string, text: string, press: () => void): HTMLElement => {
    const created = element('button', className, visibleText(text));
    created.setAttribute('type', 'button');
    created.addEventListener('click', press);
    return created;
  };
  const name = tool === '' ? files.map(({ path }) => path).join(', ') : tool;
  const bar = element('div', 'bar', visibleText(''));
  bar.append(element('span', 'name', visibleText(name)));
  if (recording === '' && view === 'full' && !readonly)
    bar.append(button('quiet edit', words.edit, actions.edit));
  const work = element('div', 'work', visibleText(''));
  if (view === 'full') {
    const code = element('div', 'code', visibleText(''));
    for (const { path, text } of files) {
      const shownFile = source(text);
      shownFile.tabIndex = 0;
      shownFile.setAttribute('role', 'region');
      shownFile.setAttribute('aria-label', visibleText(`${words.source}: ${path}`));
      code.append(shownFile);
    }
    work.append(code);
  }
  const buttons = element('div', 'actions', visibleText(''));
  buttons.append(
    recording === ''
      ? button('primary', words.run, actions.run)
      : button('primary', 'Show the recording', actions.play),
  );
  work.append(buttons);
  const whole = element('div', `playground ${view}`, visibleText(''));
  whole.append(bar, work);
  target.replaceChildren(whole);
  if (typeof focused === 'string')
    target.querySelector<HTMLElement>(`button.${focused.replaceAll(' ', '.')}`)?.focus();
}
