/** The files that go into the sandbox: fetched by the page, checked against the hashes that the build wrote down. */

import { sandboxAssets, type SandboxAsset } from 'virtual:cloche/sandbox-assets';
import type { ToolWorkerAssets } from '../protocol/python.ts';
import { ToolError } from '../spec/error.ts';

/** What goes into the tool worker. */
export interface SandboxFiles {
  readonly toolWorker: Blob;
  readonly assets: ToolWorkerAssets;
}

/** As it arrives: a frame can be got ready with the first of them while the large ones are on their way. */
export interface ArrivingFiles {
  readonly broker: Promise<Blob>;
  readonly files: Promise<SandboxFiles>;
}

/** @param onBytes told of the bytes that have arrived, of all that will */
export function fetchSandboxFiles(
  base: string,
  onBytes: (received: number, total: number) => void,
): ArrivingFiles {
  const total = sandboxAssets.reduce((sum, { bytes }) => sum + bytes, 0);
  let received = 0;
  const arriving = new Map(
    sandboxAssets.map((asset) => {
      const checked = fetchChecked(asset, base).then((bytes) => {
        onBytes((received += bytes.byteLength), total);
        return bytes;
      });
      return [asset.name, checked];
    }),
  );
  const content = async (name: SandboxAsset['name']): Promise<Uint8Array<ArrayBuffer>> =>
    (await arriving.get(name)) ?? new Uint8Array();
  const blob = async (name: SandboxAsset['name'], type: string): Promise<Blob> =>
    new Blob([await content(name)], { type });
  const broker = blob('broker', 'text/javascript');
  const files = Promise.all([
    blob('toolWorker', 'text/javascript'),
    blob('wasm', 'application/wasm'),
    blob('stdlib', 'application/zip'),
    blob('timeZones', 'application/zip'),
    content('lockfile').then((bytes) => new TextDecoder().decode(bytes)),
    blob('loader', 'application/zip'),
    broker,
  ]).then(([toolWorker, wasm, stdlib, timeZones, lockfile, loader]) => ({
    toolWorker,
    assets: { wasm, stdlib, timeZones, lockfile, loader },
  }));
  return { broker, files };
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
