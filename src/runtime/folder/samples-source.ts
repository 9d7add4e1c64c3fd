/** The built-in samples as a tools folder: one file of the app, fetched when it is read. */

import { samples } from 'virtual:cloche/samples';
import { fileInMemory, type FolderSource, type SourceFile } from './source.ts';
import { errorText, ToolError } from '../spec/error.ts';

const encoder = new TextEncoder();

export function samplesSource(base: URL): FolderSource {
  return {
    name: 'samples',
    kind: 'samples',
    rereadable: true,
    async *entries(signal) {
      for (const [path, text] of await fetchSamples(signal, new URL(samples.url, base)))
        yield { path, file: () => Promise.resolve(fileOf(text)) };
    },
  };
}

function fileOf(text: string): SourceFile {
  // A few small files need no pauses.
  return fileInMemory(encoder.encode(text), 0, () => Promise.resolve());
}

async function fetchSamples(signal: AbortSignal, url: URL): Promise<[string, string][]> {
  try {
    // @mutant integrity: the hashes of what the page fetches => without , integrity: samples.integrity [cold
    //   tests/integrity.test.ts the samples: refused if altered]
    const response = await fetch(url, { redirect: 'error', signal, integrity: samples.integrity });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const files: unknown = await response.json();
    return Object.entries(files ?? {}).map(([path, text]) => [path, String(text)]);
  } catch (thrown) {
    throw new ToolError(
      'not-found',
      `The samples could not be loaded: ${errorText(thrown)}`,
      'Check your connection and reload the page: it may be an older version.',
    );
  }
}
