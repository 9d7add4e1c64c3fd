/** A fake server and a fake cache storage for tests, and sample builds to put into both. */

import { sha256Of } from '../spec/bytes.ts';
import { confirmedHeader, filesCache, listUrl } from './offline.ts';

export const base = 'https://cloche.test/app/';
const basePath = '/app/';

export interface SampleBuild {
  readonly id: string;
  readonly page: string;
  /** Contents by path below the base: the list and its files, without index.html. */
  readonly files: ReadonlyMap<string, string>;
}

/** A build whose contents and id depend on `letter`, except for one file that all sample builds share. */
export async function sampleBuild(letter: string): Promise<SampleBuild> {
  const files = new Map([
    [`assets/index-${letter}.js`, `run('${letter}')`],
    ['assets/python.wasm', 'common'],
    ['license.txt', `words of ${letter}`],
  ]);
  const listed = Array.from(files, async ([url, text]) => ({
    url,
    sha256: await sha256Of(bytesOf(text)),
    bytes: bytesOf(text).byteLength,
    shell: url.includes('index-'),
  }));
  const list = JSON.stringify({ format: 1, files: await Promise.all(listed) });
  const id = (await sha256Of(bytesOf(list))).slice(0, 16);
  const mark = `<meta name="cloche-build" content="${id}" data-date="" />`;
  const page = `<html><head>${mark}</head><body></body></html>\n`;
  return { id, page, files: files.set(listUrl(id), list) };
}

/** Serves `contents` by address, and records requests in `asked`. */
export class FakeServer {
  readonly contents = new Map<string, string>();
  readonly asked: string[] = [];
  /** If set, answers every request instead. */
  instead: (() => Response | Promise<Response>) | undefined;

  deploy({ page, files }: SampleBuild): void {
    this.contents.set(base, page);
    for (const [url, text] of files) this.contents.set(base + url, text);
  }

  readonly fetch = (asked: string | Request, init: RequestInit = {}): Promise<Response> => {
    const { url, method } = new Request(asked, init);
    this.asked.push(`${method} ${url.slice(base.length)}`);
    if (this.instead !== undefined) return Promise.resolve(this.instead());
    const text = this.contents.get(url.replace(/[?#].*/s, ''));
    if (text === undefined) return Promise.resolve(new Response('nothing', { status: 404 }));
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'none' };
    return Promise.resolve(new Response(method === 'HEAD' ? null : text, { headers }));
  };
}

export class FakeCaches {
  readonly kept = new Map<string, FakeCache>();
  /** If set, writes fail with this error. */
  refusal: Error | undefined;
  /** If set, the next write to this address never ends. */
  stuck: string | undefined;

  readonly open = (name: string): Promise<FakeCache> => {
    const cache = this.kept.get(name) ?? new FakeCache(this);
    this.kept.set(name, cache);
    return Promise.resolve(cache);
  };

  readonly keys = (): Promise<string[]> => Promise.resolve([...this.kept.keys()]);

  readonly match = (url: string, { cacheName = '' }: MultiCacheQueryOptions = {}) =>
    this.kept.get(cacheName)?.match(url) ?? Promise.resolve(undefined);

  readonly delete = (name: string): Promise<boolean> => Promise.resolve(this.kept.delete(name));

  /** Stores all files of a build, as its page does. */
  async store({ id, page, files }: SampleBuild, confirmed: number): Promise<void> {
    const cache = await this.open(filesCache(basePath, id));
    await cache.put(base, new Response(page));
    for (const [url, text] of files) {
      const headers = url === listUrl(id) ? { [confirmedHeader]: String(confirmed) } : {};
      await cache.put(base + url, new Response(text, { headers }));
    }
  }

  /** This fake as the browser's type; code under test uses only the methods above. */
  get asStorage(): CacheStorage {
    return this as unknown as CacheStorage;
  }
}

class FakeCache {
  readonly entries = new Map<string, Response>();
  readonly #owner: FakeCaches;

  constructor(owner: FakeCaches) {
    this.#owner = owner;
  }

  readonly match = (url: string): Promise<Response | undefined> =>
    Promise.resolve(this.entries.get(url)?.clone());

  readonly keys = (): Promise<string[]> => Promise.resolve([...this.entries.keys()]);

  readonly put = (url: string, response: Response): Promise<void> => {
    if (this.#owner.refusal !== undefined) return Promise.reject(this.#owner.refusal);
    if (this.#owner.stuck === url) {
      this.#owner.stuck = undefined;
      return new Promise(() => undefined);
    }
    this.entries.set(url, response);
    return Promise.resolve();
  };
}

function bytesOf(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer;
}
