/** The frame of one playground, and the page's end of the wire to it. */

import {
  helloMark,
  MessageRate,
  readFromPlayground,
  setupMark,
  type FromPlayground,
  type PlaygroundSetup,
  type ToPlayground,
} from '../../runtime/protocol/embed.ts';

export interface FrameLinkDeps {
  /** Address of the app, with a trailing slash. */
  readonly app: URL;
  readonly title: string;
  readonly setup: () => PlaygroundSetup;
  readonly onMessage: (message: FromPlayground) => void;
  /** Called once if the frame does not load: `blocked` by this page's policy, or `silent`. */
  readonly onFailure: (why: 'blocked' | 'silent') => void;
}

/** Milliseconds in which a frame must answer. */
const answerMs = 20_000;

export class FrameLink {
  readonly frame: HTMLIFrameElement;
  readonly #deps: FrameLinkDeps;
  readonly #life = new AbortController();
  readonly #rate = new MessageRate();
  readonly #timer: ReturnType<typeof setTimeout>;
  #port: MessagePort | null = null;

  /** Creates the frame, which loads once it is in the page. */
  constructor(deps: FrameLinkDeps) {
    this.#deps = deps;
    const { app, title } = deps;
    const frame = document.createElement('iframe');
    this.frame = frame;
    frame.title = title;
    frame.referrerPolicy = 'no-referrer';
    frame.allow = 'clipboard-write';
    // The frame's content must be of another origin than this page. Within one origin, a sandbox
    // would separate nothing.
    if (app.origin !== location.origin)
      frame.setAttribute(
        'sandbox',
        'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-downloads',
      );
    frame.src = new URL('playground.html#element', app).href;
    const { signal } = this.#life;
    window.addEventListener('message', this.#onHello, { signal });
    document.addEventListener('securitypolicyviolation', this.#onViolation, { signal });
    this.#timer = setTimeout(() => this.#fail('silent'), answerMs);
  }

  /** @returns false if the frame is not there yet; it then gets the state of the element when it is */
  send(message: ToPlayground): boolean {
    this.#port?.postMessage(message);
    return this.#port !== null;
  }

  dispose(): void {
    this.#life.abort();
    clearTimeout(this.#timer);
    this.#port?.close();
    this.frame.remove();
  }

  readonly #onHello = ({ source, origin, data }: MessageEvent<unknown>): void => {
    if (this.frame.contentWindow === null || source !== this.frame.contentWindow) return;
    const { app, setup } = this.#deps;
    if (origin !== app.origin || data !== helloMark) return;
    // The frame was reloaded: what ran in it has ended.
    this.#port?.close();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    clearTimeout(this.#timer);
    port1.onmessage = ({ data: message }: MessageEvent<unknown>) => {
      const verdict = this.#rate.count(performance.now());
      const read = readFromPlayground(message);
      // There are no more answers than this page has sent requests.
      if (read !== null && (verdict === 'read' || read.type === 'answer'))
        this.#deps.onMessage(read);
    };
    this.frame.contentWindow.postMessage({ type: setupMark, setup: setup() }, app.origin, [port2]);
  };

  readonly #onViolation = ({
    blockedURI,
    effectiveDirective,
  }: SecurityPolicyViolationEvent): void => {
    if (!/^(frame|child|default)-src/.test(effectiveDirective)) return;
    if (!blockedURI.startsWith(this.#deps.app.origin) || this.#port !== null) return;
    this.#fail('blocked');
  };

  #fail(why: 'blocked' | 'silent'): void {
    this.#life.abort();
    clearTimeout(this.#timer);
    this.#deps.onFailure(why);
  }
}
