import { createHash } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import type { FetchedFile, WantedFile } from '../../src/runtime/protocol/fetched-files.ts';

const answers: FetchedFile[] = [];
const worker = {
  onmessage: (_event: { data: readonly WantedFile[] }): void => undefined,
  postMessage: (file: FetchedFile) => answers.push(file),
};
vi.stubGlobal('self', worker);
await import('./fetcher.ts');

afterEach(() => {
  vi.unstubAllGlobals();
  answers.length = 0;
});

/** Number of files that have arrived. */
function blobs(): number {
  return answers.filter((answer) => 'blob' in answer).length;
}

const content = 'import cloche';
const wanted: WantedFile = {
  name: 'loader',
  url: 'https://app.example/loader',
  sha256: createHash('sha256').update(content).digest('hex'),
  bytes: content.length,
  type: 'text/plain',
  late: false,
};

async function fetched(response: () => Response | Promise<Response>) {
  vi.stubGlobal('self', worker);
  vi.stubGlobal('fetch', () => Promise.resolve(response()));
  worker.onmessage({ data: [wanted] });
  await vi.waitFor(() => {
    expect(answers).toHaveLength(1);
  });
  return answers[0];
}

it('returns a file that has the expected hash', async () => {
  const file = await fetched(() => new Response(content));
  expect(file).toEqual({ name: 'loader', blob: expect.any(Blob) as Blob });
  const blob = file !== undefined && 'blob' in file ? file.blob : null;
  expect([await blob?.text(), blob?.type]).toEqual([content, 'text/plain']);
});

it.each([
  ['another file of the same size', 'import cl0che', 200, 'differs'],
  ['the beginning of the file', 'import', 200, 'differs'],
  ['a longer file', `${content}!`, 200, 'differs'],
  ['an error page', 'Not found', 404, 'missing'],
])('refuses %s', async (_, body, status, fault) => {
  const file = await fetched(() => new Response(body, { status }));
  expect(file).toEqual({ name: 'loader', fault, status });
});

it('reads no more bytes than the file has', async () => {
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (stream) => {
      pulled += 1;
      if (pulled > 1_000) stream.close();
      else stream.enqueue(new Uint8Array(content.length));
    },
  });
  const file = await fetched(() => new Response(endless));
  expect(file).toEqual({ name: 'loader', fault: 'differs', status: 200 });
  expect(pulled).toBeLessThan(10);
});

it('reports that there was no response', async () => {
  const file = await fetched(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(file).toEqual({ name: 'loader', fault: 'missing', status: null });
});

it('returns no file if the browser cannot check it', async () => {
  vi.stubGlobal('crypto', {});
  const file = await fetched(() => new Response(content));
  expect(file).toEqual({ name: 'loader', fault: 'unchecked', status: 200 });
});

it('downloads two files at a time, in the given order, then the late ones one by one', async () => {
  const large = 'x'.repeat(400_000);
  const asked: string[] = [];
  const open: (() => void)[] = [];
  vi.stubGlobal('self', worker);
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    return new Promise((resolve) => {
      open.push(() => {
        resolve(new Response(large));
      });
    });
  });
  const files = ['late 1', 'a', 'b', 'c', 'd', 'late 2'];
  worker.onmessage({
    data: files.map((url) => ({
      ...wanted,
      url,
      late: url.startsWith('late'),
      bytes: large.length,
      sha256: createHash('sha256').update(large).digest('hex'),
    })),
  });
  expect(asked).toEqual(['a', 'b']);
  open[1]?.();
  await vi.waitFor(() => {
    expect(asked).toEqual(['a', 'b', 'c']);
  });
  open[0]?.();
  await vi.waitFor(() => {
    expect([asked, blobs()]).toEqual([['a', 'b', 'c', 'd'], 2]);
  });
  // Less than half a megabyte is missing as soon as `c` has arrived.
  open[2]?.();
  await vi.waitFor(() => {
    expect([asked, blobs()]).toEqual([['a', 'b', 'c', 'd', 'late 1'], 3]);
  });
  open[3]?.();
  await vi.waitFor(() => {
    expect([asked.length, blobs()]).toEqual([5, 4]);
  });
  open[4]?.();
  await vi.waitFor(() => {
    expect([asked.slice(4), blobs()]).toEqual([['late 1', 'late 2'], 5]);
  });
});
