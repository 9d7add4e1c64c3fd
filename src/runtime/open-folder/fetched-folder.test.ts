import { expect, test } from 'vitest';
import { zipSync } from 'fflate';
import { readFolder } from '../folder/read-folder.ts';
import type { Send, Sent } from '../grants/network-sender.ts';
import type { NetworkRequest } from '../protocol/network.ts';
import { defaultLimits } from '../spec/limits.ts';
import { fetchFolder } from './fetched-folder.ts';

const { signal } = new AbortController();
const encoder = new TextEncoder();

interface Answer {
  readonly body?: Uint8Array<ArrayBuffer> | string;
  readonly status?: number;
  readonly length?: string;
  readonly sent?: Sent;
}

async function open(address: string, { body = '', status = 200, length, sent }: Answer = {}) {
  const asked: NetworkRequest[] = [];
  const log = { cancelled: 0, read: 0 };
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const send: Send = (_, request) => {
    asked.push(request);
    let at = 0;
    return Promise.resolve(
      sent ?? {
        status,
        statusText: status === 404 ? 'Not Found' : '',
        headers: length === undefined ? [] : [['Content-Length', length]],
        read: () => {
          const piece = bytes.slice(at, at + 10);
          at += 10;
          log.read += 1;
          return Promise.resolve(piece.byteLength === 0 ? null : piece);
        },
        cancel: () => {
          log.cancelled += 1;
        },
      },
    );
  };
  const limits = { ...defaultLimits, fileBytes: 1_000, folderBytes: 2_000 };
  const opening = fetchFolder(signal, address, { send, limits, isOnline: () => true });
  const result = await opening.then(
    async (source) => {
      const { files } = await readFolder(signal, source, limits, () => undefined);
      return `${source.kind} ${source.name}: ${files.map(({ path }) => path).join(', ')}`;
    },
    (error: unknown) => error as Error & { hint?: string },
  );
  return { result, asked, log };
}

const failure = async (address: string, answer?: Answer): Promise<string> => {
  const { result } = await open(address, answer);
  return typeof result === 'string' ? result : `${result.message} | ${result.hint ?? ''}`;
};

test('a tool file is opened from its address', async () => {
  const { result, asked, log } = await open('https://example.org/a/my%20tools.py?x=1#y', {
    body: 'x = 1\n',
  });
  expect(result).toBe('upload my tools.py: my tools.py');
  expect(asked).toEqual([
    {
      url: 'https://example.org/a/my%20tools.py?x=1',
      method: 'GET',
      headers: [],
      body: null,
      secrets: [],
    },
  ]);
  expect(log.cancelled).toBe(1);
});

test('a zip is recognised by its content', async () => {
  const zip = new Uint8Array(zipSync({ 'a.py': encoder.encode('a'), 'b.txt': new Uint8Array() }));
  expect((await open('example.org/download', { body: zip })).result).toMatch(
    /^zip download(\.zip)?: a\.py, b\.txt$/,
  );
});

test('the file behind a page of GitHub is fetched', async () => {
  const { asked } = await open('https://github.com/o/r/blob/main/sub/t.py', { body: 'x' });
  expect(asked[0]?.url).toBe('https://raw.githubusercontent.com/o/r/main/sub/t.py');
});

test('no other address is fetched', async () => {
  for (const address of [
    'file:///etc/passwd',
    'data:text/plain,x',
    'https://u:p@example.org/t.py',
    '::',
  ])
    expect((await open(address)).asked).toEqual([]);
  expect(await failure('javascript:alert(1)')).toMatch(
    /neither http: nor https:.*Enter an address/,
  );
});

test('a refusal says why, and what to do', async () => {
  const py = 'https://example.org/t.py';
  expect(await failure(py, { sent: { failed: 'network', why: 'x' } })).toMatch(
    /^example\.org cannot be reached, or .*\(CORS\)\. \| Download the file, then drop it/,
  );
  expect(await failure(py, { sent: { failed: 'redirect', why: 'x' } })).toMatch(
    /redirects.*new tab/,
  );
  expect(await failure(py, { status: 404 })).toMatch(/^The server answered 404 Not Found \| Open/);
  expect(await failure(py, { body: '<!DOCTYPE html>' })).toMatch(/web page.*“Raw”/);
  expect(await failure('https://example.org/t', { body: 'x = 1' })).toMatch(/neither a zip nor/);
  expect(await failure('https://example.org/t.tar.gz?x', { body: 'x' })).toMatch(
    /^“t\.tar\.gz” is a tar archive\..* \| Unpack it/,
  );
});

test('a file that is too large is not read to its end', async () => {
  const py = 'https://example.org/t.py';
  const declared = await open(py, { body: 'x', length: '2001' });
  expect([String(declared.result), declared.log]).toEqual([
    expect.stringContaining('larger than'),
    { cancelled: 1, read: 0 },
  ]);
  const endless = await open(py, { body: 'x'.repeat(1_000_000) });
  expect(String(endless.result)).toContain('larger than');
  expect(endless.log).toEqual({ cancelled: 1, read: 201 });
  // A single file has a lower limit than a zip.
  expect(await failure(py, { body: 'x'.repeat(1_001) })).toContain('larger than');
  expect((await open(py, { body: 'x'.repeat(1_000) })).result).toBe('upload t.py: t.py');
});
