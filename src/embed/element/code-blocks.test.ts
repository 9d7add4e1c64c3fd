/** Code blocks that a site takes out of its page and puts back, with as much of a document as the script needs. */

import { afterEach, expect, test, vi } from 'vitest';
import { keepUpgrading } from './code-blocks.ts';

class FakeElement {
  hidden = false;
  readonly style = { setProperty: vi.fn(), removeProperty: vi.fn() };
  type = '';
  readonly dataset: Record<string, string> = {};
  readonly attributes = new Map<string, string>();
  readonly children: FakeElement[] = [];
  parentElement: FakeElement | null = null;
  readonly tag: string;
  textContent: string;

  constructor(tag: string, textContent = '') {
    this.tag = tag;
    this.textContent = textContent;
  }

  get isConnected(): boolean {
    return this.parentElement === null ? this.tag === 'body' : this.parentElement.isConnected;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  /** Knows the names of elements, and `[attribute]`. */
  matches(selector: string): boolean {
    const names = [this.tag, ...Array.from(this.attributes.keys(), (name) => `[${name}]`)];
    return selector.split(', ').some((each) => names.includes(each));
  }

  closest(selector: string): FakeElement | null {
    return this.matches(selector) ? this : (this.parentElement?.closest(selector) ?? null);
  }

  querySelectorAll(selector: string): FakeElement[] {
    return this.children.flatMap((child) => [
      ...(child.matches(selector) ? [child] : []),
      ...child.querySelectorAll(selector),
    ]);
  }

  querySelector(selector: string): FakeElement | null {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  cloneNode(): FakeElement {
    return new FakeElement(this.tag, this.textContent);
  }

  append(child: FakeElement): void {
    child.remove();
    child.parentElement = this;
    this.children.push(child);
  }

  after(other: FakeElement): void {
    this.parentElement?.append(other);
  }

  remove(): void {
    const siblings = this.parentElement?.children ?? [];
    if (siblings.includes(this)) siblings.splice(siblings.indexOf(this), 1);
    this.parentElement = null;
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page with one marked block in a part of its own, after the script has run. */
function page() {
  const body = new FakeElement('body');
  const part = new FakeElement('div');
  const block = new FakeElement('pre', '# cloche\nprint(1)\n');
  body.append(part);
  part.append(block);
  let changed = (): void => undefined;
  vi.stubGlobal('HTMLElement', FakeElement);
  vi.stubGlobal('document', {
    body,
    documentElement: new FakeElement('html'),
    createElement: (tag: string) => new FakeElement(tag),
    querySelectorAll: (selector: string) => body.querySelectorAll(selector),
  });
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(then: () => void) {
        changed = then;
      }
      observe(): void {
        // The test says when the page has changed.
      }
    },
  );
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  vi.stubGlobal('requestAnimationFrame', (then: () => void) => {
    then();
  });
  keepUpgrading();
  return {
    body,
    part,
    block,
    /** Changes the page. @returns the playgrounds in it */
    after(change: () => void): FakeElement[] {
      change();
      changed();
      return body.querySelectorAll('cloche-playground');
    },
  };
}

test('a part that is taken out of the page comes back with its playground', () => {
  const { after, body, part, block } = page();
  const before = after(() => undefined);
  expect(before).toHaveLength(1);
  expect(after(() => part.remove())).toEqual([]);
  expect(after(() => body.append(part))).toEqual(before);
  expect(block.hidden).toBe(true);
});

test('a block that is taken out loses its playground, and gets another one when it comes back', () => {
  const { after, part, block } = page();
  const [first] = after(() => undefined);
  expect(after(() => block.remove())).toEqual([]);
  expect([block.hidden, first?.parentElement]).toEqual([false, null]);
  const [second, ...others] = after(() => part.append(block));
  expect([second === undefined, second === first, others]).toEqual([false, false, []]);
  expect([block.hidden, second?.children[0]?.textContent]).toEqual([true, 'print(1)\n']);
});
