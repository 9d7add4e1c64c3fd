/** `<cloche-playground>`: shows its source as text, and a frame of Cloche in its place once that is near the view. */

import {
  embedLimits,
  floodedCode,
  isView,
  type FromPlayground,
  type PlaygroundFile,
  type PlaygroundResult,
  type PlaygroundSetup,
  type PlaygroundView,
} from '../../runtime/protocol/embed.ts';
import { coalesce } from '../../runtime/async/coalesce.ts';
import { defer } from '../../runtime/async/defer.ts';
import { FormRoom } from './form-room.ts';
import { FrameLink } from './frame-link.ts';
import { FrameRequests, type Unnumbered } from './frame-requests.ts';
import { inlineFiles, nameFor, fetchNamedFiles, loadRecordingText } from './inline-source.ts';
import { lookOf, watchLook } from './page-look.ts';
import { LatestOnly } from './latest-only.ts';
import type { ClochePlaygroundElement } from './playground-types.d.ts';
import { PrintView } from './print-view.ts';
import { onceNear } from './near-view.ts';
import { onceParsed } from './once-parsed.ts';
import { ReaderEdits } from './reader-edits.ts';
import { createSheet } from './shadow-style.ts';

/** Milliseconds between two times that a playground begins again. */
const restartMs = 500;

/** Names this page, so that its playgrounds can share Python. */
const page = typeof crypto === 'undefined' ? '' : crypto.randomUUID();

/** @param script address of this script, next to which the app lies; null if it is unknown */
export function definePlayground(script: string | null): void {
  if (customElements.get('cloche-playground')) return;
  const deployed = script === null ? null : new URL('./', script);

  class Playground
    extends HTMLElement
    implements Omit<ClochePlaygroundElement, 'addEventListener'>
  {
    static readonly observedAttributes =
      'src files packages tool arguments view autorun readonly recording theme app'.split(' ');

    readonly #shadow = this.attachShadow({ mode: 'open', delegatesFocus: true });
    /** The element's own text, which stays as it is until the frame is shown. */
    readonly #written = document.createElement('slot');
    /** The source where it is not written as text. */
    readonly #plain = document.createElement('div');
    readonly #room = new FormRoom();
    readonly #message = document.createElement('p');
    readonly #print = new PrintView();
    readonly #requests = new FrameRequests((request) => this.#link?.send(request));
    readonly #edits = new ReaderEdits();
    readonly #newFiles = new LatestOnly((files: readonly PlaygroundFile[]) =>
      this.#ask({ type: 'files', files }),
    );
    readonly #newArguments = new LatestOnly((text: string) =>
      this.#ask({ type: 'arguments', arguments: text }),
    );
    readonly #children = new MutationObserver(() => void this.#reload());
    #files: readonly PlaygroundFile[] = [];
    /** Set by {@link setSource} and {@link setArguments}, which count more than the tag. */
    #given: readonly PlaygroundFile[] | null = null;
    #arguments: string | null = null;
    #recording = '';
    #link: FrameLink | null = null;
    #isNear = false;
    #stop = new AbortController();
    #reading = 0;
    #lookFrame = 0;
    #sentLook = '';

    constructor() {
      super();
      this.#shadow.adoptedStyleSheets = [createSheet()];
      this.#plain.className = 'box';
      this.#plain.hidden = true;
      this.#message.part.add('message');
      this.#message.setAttribute('role', 'status');
      this.#message.hidden = true;
      this.#shadow.append(this.#written, this.#plain, this.#room.element);
      this.#shadow.append(this.#message, this.#print.element);
    }

    connectedCallback(): void {
      const stop = new AbortController();
      this.#stop = stop;
      onceParsed(this, stop.signal, () => {
        this.#children.observe(this, { childList: true, characterData: true, subtree: true });
        void this.#reload();
        onceNear(this, stop.signal, () => {
          this.#isNear = true;
          void this.#reload();
        });
        stop.signal.addEventListener('abort', watchLook(this, this.#sendLook));
      });
    }

    disconnectedCallback(): void {
      this.#stop.abort();
      this.#children.disconnect();
      this.#close('The playground was removed from the page.');
    }

    attributeChangedCallback(name: string): void {
      if (!this.isConnected) return;
      if (name === 'theme') this.#sendLook();
      else if (/^(src|files|recording)$/.test(name)) void this.#reload();
      else if (name === 'arguments') {
        this.#arguments = null;
        const text = this.#text('arguments');
        if (this.#edits.replaceArguments(text) && this.#link !== null)
          this.#newArguments.send(text).catch(() => undefined);
      } else {
        if (name === 'tool') this.#edits.replaceTool();
        this.#restartSoon();
      }
    }

    async run(): Promise<PlaygroundResult> {
      this.#newFiles.flush();
      this.#newArguments.flush();
      const result = await this.#ask({ type: 'run' });
      if (result === null) throw new Error('The playground gave no result.');
      return result;
    }

    cancel(): void {
      this.#requests.cancelUnsent();
      this.#link?.send({ type: 'cancel' });
    }

    async setSource(source: string | readonly PlaygroundFile[]): Promise<void> {
      const files =
        typeof source === 'string'
          ? [{ path: this.#files[0]?.path ?? nameFor(source), text: source }]
          : source.map(({ path, text }) => ({ path, text }));
      this.#given = files;
      // The new source also replaces what the reader has typed.
      await this.#show(files, this.#edits.files(this.#files));
    }

    async setArguments(args: string | Readonly<Record<string, unknown>>): Promise<void> {
      const text = typeof args === 'string' ? args : JSON.stringify(args, null, 2);
      if (text.length > embedLimits.argumentsChars) throw new Error('The arguments are too long.');
      this.#arguments = text;
      if (this.#edits.replaceArguments(text) && this.#link !== null)
        await this.#newArguments.send(text);
    }

    get #app(): URL | null {
      const given = this.getAttribute('app');
      if (given === null || given === '') return deployed;
      const url = new URL(given.endsWith('/') ? given : `${given}/`, document.baseURI);
      return /^https?:$/.test(url.protocol) ? url : null;
    }

    /** Reads the source again from the tag, and shows the frame if it is near. */
    async #reload(): Promise<void> {
      const reading = (this.#reading += 1);
      const isLatest = (): boolean => reading === this.#reading;
      try {
        const inline = inlineFiles(this);
        if (this.#given === null && inline.length > 0) this.#showPlain(inline);
        // Nothing is fetched for a playground that the reader may never see.
        if (!this.#isNear && this.#link === null) {
          if (this.#given === null) this.#files = inline;
          return;
        }
        const [named, recording] = await Promise.all([
          fetchNamedFiles(this.getAttribute('src'), this.getAttribute('files')),
          loadRecordingText(this.getAttribute('recording')),
        ]);
        if (!isLatest()) return;
        if (recording !== this.#recording && this.#link !== null) this.#restartSoon();
        this.#recording = recording;
        this.#message.hidden = true;
        if (this.#given === null) await this.#show([...named, ...inline]);
        if (this.#isNear) this.#open();
      } catch (thrown) {
        if (isLatest())
          this.#fail('not-found', thrown instanceof Error ? thrown.message : String(thrown));
      }
    }

    /** @param replaced the files that these replace: by default, those that the page gave last */
    async #show(files: readonly PlaygroundFile[], replaced = this.#files): Promise<void> {
      const chars = files.reduce((sum, { text }) => sum + text.length, 0);
      if (chars > embedLimits.sourceChars || files.length > embedLimits.files)
        throw new Error('The source is too long for a playground.');
      const twice = files.find(({ path }, n) => files.findIndex((each) => each.path === path) < n);
      if (twice !== undefined)
        throw new Error(
          `Two files are named ${twice.path}. Name files in the tag with “data-name”, and others with a JSON object in “files”.`,
        );
      const isSame = JSON.stringify(files) === JSON.stringify(replaced);
      this.#files = files;
      const isNew = !isSame && this.#edits.replaceFiles(files);
      this.#showPlain(this.#edits.files(files));
      if (isNew && this.#link !== null) await this.#newFiles.send(files);
    }

    /** Shows the sources while the frame is not there, if the view is `full`. */
    #showPlain(files: readonly PlaygroundFile[], view = this.#view): void {
      const isShown = this.#link?.frame.className === 'shown';
      // Scripts are never displayed.
      const shows = view === 'full';
      const isWritten = this.#given === null && shows && [...this.childNodes].some(hasText);
      this.#written.hidden = isShown || !isWritten;
      this.#plain.hidden = isShown || isWritten;
      const bar = document.createElement('div');
      bar.className = 'bar';
      const sources = files.map(({ path, text }) => {
        const source = document.createElement('pre');
        source.part.add('source');
        source.textContent = text;
        source.tabIndex = 0;
        source.setAttribute('role', 'region');
        source.setAttribute('aria-label', `Source of ${path}`);
        return source;
      });
      this.#plain.replaceChildren(bar, ...(shows ? sources : []));
      this.#room.element.hidden = false;
      if (!isShown) this.#room.plan(this, files, this.#text('tool'), this.#view);
      this.#print.show(shows ? files : []);
    }

    #open(): void {
      if (this.#link !== null || !this.isConnected) return;
      const app = this.#app;
      if (app === null) {
        this.#fail(
          'bad-input',
          'The address of Cloche is missing: give it in the attribute “app”.',
        );
        return;
      }
      const link = new FrameLink({
        app,
        title: `Python playground: ${this.getAttribute('tool') ?? this.#files[0]?.path ?? ''}`,
        setup: () => this.#setup(),
        onMessage: (message) => this.#take(message),
        onFailure: (why) => {
          this.#close('Cloche could not be loaded.');
          const blocked = `This page’s policy does not allow a frame of Cloche: add “frame-src ${app.origin}”.`;
          this.#fail(
            'not-found',
            why === 'blocked' ? blocked : `Cloche at ${app.href} does not answer.`,
          );
        },
      });
      link.frame.part.add('frame');
      this.#link = link;
      this.#shadow.append(link.frame);
    }

    /** @param reason why requests fail; null if another frame will answer them */
    #close(reason: string | null): void {
      this.#link?.dispose();
      this.#link = null;
      this.#showPlain(this.#edits.files(this.#files));
      if (reason === null) this.#requests.restart();
      else this.#requests.close(reason);
    }

    /** Restarts with the tag as it is now, once for all changes that are made together. */
    readonly #restartSoon = defer(
      coalesce(() => {
        if (!this.isConnected) return;
        if (this.#link === null) {
          // The last attempt may have failed because of what has changed now.
          void this.#reload();
          return;
        }
        this.#close(null);
        this.#open();
      }, restartMs),
      0,
    );

    #text(name: string): string {
      return this.getAttribute(name) ?? '';
    }

    get #view(): PlaygroundView {
      const view = this.getAttribute('view');
      return isView(view) ? view : 'full';
    }

    #setup(): PlaygroundSetup {
      const look = lookOf(this, this.getAttribute('theme'));
      this.#sentLook = JSON.stringify(look);
      return {
        page,
        files: this.#edits.files(this.#files),
        packages: this.#text('packages')
          .split(/[\s,]+(?![^[]*\])/)
          .filter((each) => each !== ''),
        tool: this.#edits.tool(this.#text('tool')),
        arguments: this.#edits.arguments(this.#arguments ?? this.#text('arguments')),
        view: this.#view,
        autorun: this.hasAttribute('autorun'),
        readonly: this.hasAttribute('readonly'),
        recording: this.#recording,
        look,
      };
    }

    #take(message: FromPlayground): void {
      switch (message.type) {
        case 'ready':
          this.#message.hidden = true;
          this.#requests.ready();
          this.#emit('ready', {});
          break;
        case 'height':
          this.#resize(message.height);
          break;
        case 'answer':
          this.#requests.answer(message.id, message.result, message.failed);
          break;
        default: {
          this.#print.take(message);
          if (message.type === 'change') {
            // Text that the reader has typed is not written into the tag.
            this.#edits.take(message);
            if (this.#view === 'full') this.#print.show(message.files);
          }
          if (message.type === 'error' && message.code === floodedCode) {
            this.#close(message.message);
            this.#fail(message.code, message.message);
            break;
          }
          const { type, ...detail } = message;
          this.#emit(type, detail);
        }
      }
    }

    /** The first height shows the frame in place of the source. */
    #resize(height: number): void {
      if (this.#link === null) return;
      const { frame } = this.#link;
      const shown = Math.ceil(height);
      frame.style.height = `${shown}px`;
      if (frame.className === 'shown') {
        this.#room.keep(shown);
        return;
      }
      this.#room.keep(shown, this.clientHeight);
      frame.className = 'shown';
      this.#showPlain(this.#edits.files(this.#files));
    }

    #ask(request: Unnumbered): Promise<PlaygroundResult | null> {
      if (!this.isConnected) return Promise.reject(new Error('The playground is not in the page.'));
      if (this.#link === null) {
        this.#isNear = true;
        void this.#reload();
      }
      return this.#requests.ask(request);
    }

    readonly #sendLook = (): void => {
      cancelAnimationFrame(this.#lookFrame);
      this.#lookFrame = requestAnimationFrame(() => {
        const look = lookOf(this, this.getAttribute('theme'));
        const isNew = this.#sentLook !== (this.#sentLook = JSON.stringify(look));
        if (isNew) this.#link?.send({ type: 'look', look });
      });
    };

    #fail(code: string, message: string): void {
      if (this.#link === null) {
        // Nothing else will be shown.
        this.#showPlain(this.#files, 'full');
        this.#room.element.hidden = true;
        this.#requests.close(message);
      }
      this.#message.textContent = message;
      this.#message.hidden = false;
      this.#emit('error', { code, message, hint: '' });
    }

    #emit(name: string, detail: object): void {
      this.dispatchEvent(
        new CustomEvent(`cloche-${name}`, { detail, bubbles: true, composed: true }),
      );
    }
  }

  customElements.define('cloche-playground', Playground);
}

/** Returns whether browsers display files of this type. */
function hasText(node: Node): boolean {
  return !(node instanceof HTMLScriptElement) && node.textContent?.trim() !== '';
}
