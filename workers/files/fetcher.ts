/**
 * Fetches files and checks them against their hashes: megabytes that would hold the page if it did so itself. The page
 * gets blobs, whose bytes stay where they are.
 */

import type { FetchedFile, WantedFile } from '../../src/protocol/fetched-files.ts';

declare const self: DedicatedWorkerGlobalScope;

self.onmessage = ({ data }: MessageEvent<readonly WantedFile[]>) => {
  for (const wanted of data)
    void fetched(wanted).then((file) => {
      self.postMessage(file);
    });
};

async function fetched({ name, url, sha256, type }: WantedFile): Promise<FetchedFile> {
  const response = await fetch(url).catch(() => null);
  const status = response?.status ?? null;
  const bytes = response?.ok === true ? await response.arrayBuffer().catch(() => null) : null;
  if (bytes === null) return { name, fault: 'missing', status };
  // Absent where the page came over plain HTTP from another machine: then nothing can be checked, so nothing runs.
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (!subtle) return { name, fault: 'unchecked', status };
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hash !== sha256) return { name, fault: 'differs', status };
  return { name, blob: new Blob([bytes], { type }) };
}
