/** The files that go into the sandbox: fetched by the page, checked against the hashes that the build wrote down. */

import { sandboxAssets, type SandboxAsset } from 'virtual:cloche/sandbox-assets';
import type { ToolWorkerAssets } from '../protocol/python.ts';
import { ToolError } from '../spec/error.ts';

export interface SandboxFiles {
  readonly broker: Blob;
  readonly toolWorker: Blob;
  readonly assets: ToolWorkerAssets;
}

/** @param onBytes told of the bytes that have arrived, of all that will */
export async function fetchSandboxFiles(
  base: string,
  onBytes: (received: number, total: number) => void,
): Promise<SandboxFiles> {
  const total = sandboxAssets.reduce((sum, { bytes }) => sum + bytes, 0);
  let received = 0;
  const contents = new Map(
    await Promise.all(
      sandboxAssets.map(async (asset) => {
        const bytes = await fetchChecked(asset, base);
        onBytes((received += bytes.byteLength), total);
        return [asset.name, bytes] as const;
      }),
    ),
  );
  const blob = (name: SandboxAsset['name'], type: string): Blob =>
    new Blob([contents.get(name) ?? new Uint8Array()], { type });
  const text = (name: SandboxAsset['name']): string => new TextDecoder().decode(contents.get(name));
  return {
    broker: blob('broker', 'text/javascript'),
    toolWorker: blob('toolWorker', 'text/javascript'),
    assets: {
      wasm: blob('wasm', 'application/wasm'),
      stdlib: blob('stdlib', 'application/zip'),
      timeZones: blob('timeZones', 'application/zip'),
      lockfile: text('lockfile'),
      loader: text('loader'),
    },
  };
}

async function fetchChecked(asset: SandboxAsset, base: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(new URL(asset.url, base)).catch(() => null);
  if (!response?.ok)
    throw new ToolError(
      'not-found',
      `${asset.url} could not be loaded (${response ? String(response.status) : 'no answer'})`,
      'Check the connection, then reload the page.',
    );
  const bytes = new Uint8Array(await response.arrayBuffer());
  if ((await sha256(bytes)) !== asset.sha256)
    throw new ToolError(
      'integrity',
      `${asset.url} is not the file that this version of Cloche was built with`,
      'Reload the page; if that does not help, the site is being updated or was changed.',
    );
  return bytes;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // Absent where the page came over plain HTTP from another machine: then nothing can be checked, so nothing runs.
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (!subtle)
    throw new ToolError(
      'not-supported',
      'The browser offers no cryptography here, so Python cannot be checked and is not started',
      'Open Cloche over https:// or from localhost.',
    );
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
