/** The tag of a playground, with as much of a document as it needs. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  helloMark,
  type FromPlayground,
  type PlaygroundSetup,
  type ToPlayground,
} from '../../runtime/protocol/embed.ts';
import { definePlayground } from './playground-element.ts';
import type { ClochePlaygroundElement } from './playground-types.d.ts';

class FakeElement extends EventTarget {
  hidden = false;
  className = '';
  textContent = '';
  isConnected = false;
  parentElement: FakeElement | null = null;
  readonly assignedSlot = null;
  readonly style: Record<string, string> = {};
  readonly dataset: Record<string, string> = {};
  readonly part = { add: () => undefined };
  readonly childNodes: FakeElement[] = [];
  readonly attributes = new Map<string, string>();
  connectedCallback?(): void;
  disconnectedCallback?(): void;
  attributeChangedCallback?(name: string): void;

  attachShadow(): FakeElement {
    return new FakeElement();
  }

  getRootNode(): null {
    return null;
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
    this.attributeChangedCallback?.(name);
  }

  querySelectorAll(): FakeElement[] {
    return [];
  }

  append(...children: FakeElement[]): void {
    for (const child of children) if (child instanceof FakeFrame) frames.push(child);
  }

  replaceChildren(): void {
    // Nothing is displayed.
  }

  remove(): void {
    // Nothing is displayed.
  }

  /** Puts it into the page. */
  insert(): void {
    this.isConnected = true;
    this.connectedCallback?.();
  }

  /** Takes it out of the page. */
  takeOut(): void {
    this.isConnected = false;
    this.disconnectedCallback?.();
  }
}

/** A class that no element of this test has. */
class OtherNode {
  readonly isOther = true;
}

const frames: FakeFrame[] = [];

/** The frame of a playground, which answers every request but `run` at once. */
class FakeFrame extends FakeElement {
  readonly received: ToPlayground[] = [];
  setup: PlaygroundSetup | null = null;
  #port: MessagePort | null = null;
  readonly contentWindow = {
    postMessage: ({ setup }: { setup: PlaygroundSetup }, _origin: string, ports: MessagePort[]) => {
      this.setup = setup;
      this.#port = ports[0] ?? null;
      if (this.#port === null) return;
      this.#port.onmessage = ({ data }: MessageEvent<ToPlayground>) => {
        this.received.push(data);
        if ('id' in data)
          this.say({ type: 'answer', id: data.id, result: null, failed: 'no Python here' });
      };
      this.say({ type: 'ready' });
    },
  };

  say(message: FromPlayground): void {
    this.#port?.postMessage(message);
  }

  load(): void {
    const message = { source: this.contentWindow, origin: 'https://cloche.example' };
    window.dispatchEvent(Object.assign(new Event('message'), message, { data: helloMark }));
  }

  disconnect(): void {
    this.#port?.close();
  }
}

type Tag = FakeElement & ClochePlaygroundElement;

function newTag(attributes: Record<string, string>): Tag {
  const Playground = customElements.get('cloche-playground');
  if (Playground === undefined) throw new Error('not defined');
  const tag = new Playground() as unknown as Tag;
  for (const [name, value] of Object.entries(attributes)) tag.setAttribute(name, value);
  tag.insert();
  return tag;
}

/** The frame, once the element has made it and it has loaded. @param n how many there were before */
async function loaded(n = 0): Promise<FakeFrame> {
  const frame = await vi.waitFor(() => {
    const made = frames[n];
    if (made === undefined) throw new Error('There is no frame.');
    return made;
  });
  frame.load();
  return frame;
}

/** Answers by address. */
const site = new Map<string, Promise<Response>>();
const python = (text: string): Promise<Response> => Promise.resolve(new Response(text));
const filesJson = JSON.stringify({ 'a.py': 'x = 1\n' });

/** Nothing comes near the view by itself. */
class NeverNear {
  observe(): void {
    // The fake never calls back.
  }

  unobserve(): void {
    // The fake never calls back.
  }
}

beforeEach(() => {
  const defined = new Map<string, CustomElementConstructor>();
  const page = new EventTarget();
  const document = Object.assign(new EventTarget(), {
    readyState: 'complete',
    baseURI: 'https://page.example/',
    head: new FakeElement(),
    documentElement: new FakeElement(),
    createElement: (name: string) => (name === 'iframe' ? new FakeFrame() : new FakeElement()),
  });
  const globals = {
    document,
    window: page,
    HTMLElement: FakeElement,
    HTMLScriptElement: OtherNode,
    ShadowRoot: OtherNode,
    location: { origin: 'https://page.example' },
    customElements: {
      get: (name: string) => defined.get(name),
      define: (name: string, made: CustomElementConstructor) => defined.set(name, made),
    },
    CSSStyleSheet: class {
      replaceSync = () => undefined;
    },
    MutationObserver: class extends NeverNear {
      disconnect = () => undefined;
    },
    requestAnimationFrame: (then: () => void) => setTimeout(then),
    cancelAnimationFrame: clearTimeout,
    getComputedStyle: () => ({ getPropertyValue: () => '', backgroundColor: '', colorScheme: '' }),
    matchMedia: () => new EventTarget(),
    fetch: (url: URL) => site.get(url.pathname) ?? Promise.reject(new TypeError('no')),
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  definePlayground('https://cloche.example/cloche-playground.js');
});

afterEach(() => {
  for (const frame of frames.splice(0)) frame.disconnect();
  site.clear();
  vi.unstubAllGlobals();
});

test('a run is rejected when the source cannot be read, whichever of its addresses that is', async () => {
  vi.stubGlobal('IntersectionObserver', NeverNear);
  let answer: (response: Response) => void = () => undefined;
  site.set('/slow.py', new Promise((resolve) => (answer = resolve)));
  const tag = newTag({ src: '/slow.py' });
  const run = tag.run();
  tag.setAttribute('src', '/missing.py');
  answer(new Response('x = 1'));
  await expect(run).rejects.toThrow('missing.py cannot be loaded');
  // Each run tries again.
  await expect(tag.run()).rejects.toThrow('missing.py cannot be loaded');
  expect(frames).toEqual([]);
  site.set('/missing.py', python('x = 2'));
  const last = tag.run();
  const frame = await loaded();
  await expect(last).rejects.toThrow('no Python here');
  expect(frame.setup?.files).toEqual([{ path: 'missing.py', text: 'x = 2' }]);
});

test('a run is rejected when the address of Cloche is not one', async () => {
  const tag = newTag({ files: filesJson, app: 'ftp://cloche.example/' });
  await expect(tag.run()).rejects.toThrow('The address of Cloche is missing');
});

test('the source that the page gives replaces what the reader has typed, also if the page has given it before', async () => {
  const tag = newTag({ files: filesJson });
  const frame = await loaded();
  const change = vi.fn();
  tag.addEventListener('cloche-change', change);
  const typed = [{ path: 'a.py', text: 'typed = 2\n' }];
  frame.say({ type: 'change', files: typed, tool: '', arguments: '' });
  await vi.waitFor(() => {
    expect(change).toHaveBeenCalledOnce();
  });
  // The frame of this test takes no files.
  const sent = async (): Promise<unknown[]> => {
    await tag.setSource('x = 1\n').catch(() => undefined);
    return frame.received.filter(({ type }) => type === 'files');
  };
  const original = [{ path: 'a.py', text: 'x = 1\n' }];
  expect(await sent()).toMatchObject([{ files: original }]);
  // Nothing is sent that is shown already.
  expect(await sent()).toHaveLength(1);
});

test('a frame that is made anew gets each change of the look from then on', async () => {
  const tag = newTag({ files: filesJson, theme: 'light' });
  const first = await loaded();
  tag.setAttribute('theme', 'dark');
  const schemes = ({ received }: FakeFrame): unknown[] =>
    received.map((each) => (each.type === 'look' ? each.look.scheme : each.type));
  await vi.waitFor(() => {
    expect(schemes(first)).toEqual(['dark']);
  });
  tag.takeOut();
  tag.setAttribute('theme', 'light');
  tag.insert();
  const second = await loaded(1);
  expect(second.setup?.look.scheme).toBe('light');
  tag.setAttribute('theme', 'dark');
  await vi.waitFor(() => {
    expect(schemes(second)).toEqual(['dark']);
  });
});
