/**
 * Fetches files and checks them against their hashes: megabytes that would hold the page if it did so itself. The page
 * gets blobs, whose bytes stay where they are.
 */

import type { FetchedFile, WantedFile } from '../../src/protocol/fetched-files.ts';

declare const self: DedicatedWorkerGlobalScope;

/** How long a connection may be silent; milliseconds. */
const silentMs = 30_000;
/** Between two words on how far a file is; milliseconds. */
const newsMs = 100;

self.onmessage = ({ data }: MessageEvent<readonly WantedFile[]>) => {
  for (const wanted of data) void fetched(wanted).then(tell);
};

function tell(file: FetchedFile): void {
  self.postMessage(file);
}

async function fetched({ name, url, sha256, bytes, type }: WantedFile): Promise<FetchedFile> {
  const silence = new Silence();
  const response = await fetch(url, { signal: silence.signal }).catch(() => null);
  const status = response?.status ?? null;
  const missing = (): FetchedFile => {
    return { name, fault: silence.signal.aborted ? 'stalled' : 'missing', status };
  };
  if (!response?.ok || response.body === null) return missing();
  const content = await read(response.body, bytes, silence, (received) => {
    tell({ name, received });
  }).catch(() => null);
  silence.end();
  if (content === null) return missing();
  if (content === 'longer') return { name, fault: 'differs', status };
  // Absent where the page came over plain HTTP from another machine: then nothing can be checked, so nothing runs.
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (!subtle) return { name, fault: 'unchecked', status };
  const digest = new Uint8Array(await subtle.digest('SHA-256', content));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hash !== sha256) return { name, fault: 'differs', status };
  return { name, blob: new Blob([content], { type }) };
}

async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  bytes: number,
  silence: Silence,
  onReceived: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer> | 'longer'> {
  const content = new Uint8Array(bytes);
  let received = 0;
  let reported = performance.now();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return content.subarray(0, received);
    silence.broken();
    if (received + value.byteLength > bytes) return 'longer';
    content.set(value, received);
    received += value.byteLength;
    if (performance.now() - reported < newsMs) continue;
    reported = performance.now();
    onReceived(received);
  }
}

/** Aborts what says nothing for too long. */
class Silence {
  readonly #stop = new AbortController();
  #timer = this.#begin();

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  broken(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#begin();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #begin(): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.#stop.abort();
    }, silentMs);
  }
}
