/** Links that carry a tool’s name, arguments and, for small folders, the files themselves, all in the fragment. */

import { fromBase64, toBase64 } from '../../../../runtime/spec/bytes.ts';
import { ToolError } from '../../../../runtime/spec/error.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';

/** The content of a link. All of it is untrusted, and nothing of it runs by itself. */
export interface Shared {
  /** Name of the folder that the link was made in. */
  readonly folder: string;
  /** Empty if the link brings files and names none of their tools. */
  readonly tool: string;
  readonly arguments: JsonText;
  /** The folder as a zip file; null if the link leaves it out. */
  readonly zip: Uint8Array<ArrayBuffer> | null;
}

/** Limits of each part of a link. */
const max = { nameChars: 300, argumentsChars: 200_000, zipBytes: 500_000 };

/** The largest zip file that is put into a link; longer links are cut by many programs. Bytes. */
export const maxSharedBytes = 24_000;

/** @param page address of the app, without its fragment @throws {ToolError} if the arguments are too large */
export function shareLink(page: string, { folder, tool, arguments: args, zip }: Shared): string {
  if (args.length > max.argumentsChars)
    throw new ToolError(
      'limit',
      'The arguments are too large for a link',
      'Copy the arguments instead.',
    );
  const query = new URLSearchParams({ folder, tool, arguments: args });
  if (zip !== null) query.set('zip', base64url(zip));
  return `${page}#/open?${query.toString()}`;
}

/** Reads the part after `#/open?`. @returns what is wrong, if it cannot be read. Never throws. */
export function readShared(query: string): Shared | { readonly fault: string } {
  const parameters = new URLSearchParams(query);
  const folder = parameters.get('folder') ?? '';
  const tool = parameters.get('tool') ?? '';
  const args = parameters.get('arguments') ?? '{}';
  const packed = parameters.get('zip');
  if (tool === '' && packed === null) return { fault: 'It does not name a tool.' };
  if (tool.length > max.nameChars || folder.length > max.nameChars)
    return { fault: 'A name in it is too long.' };
  if (args.length > max.argumentsChars) return { fault: 'Its arguments are too large.' };
  if (packed === null) return { folder, tool, arguments: args, zip: null };
  // Base64 has four characters for three bytes.
  if (packed.length > max.zipBytes * 1.4) return { fault: 'Its files are too large.' };
  const zip = fromBase64(packed.replaceAll('-', '+').replaceAll('_', '/'));
  if (zip === null) return { fault: 'It was cut off, or its files are damaged.' };
  return { folder, tool, arguments: args, zip };
}

function base64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
