/** What a wheel says of itself. */
import { unzipSync } from 'fflate';

/** The text of its METADATA. @throws where it is no wheel */
export function wheelMetadata(wheel: Uint8Array, name: string): string {
  const isMetadata = (path: string): boolean => /^[^/]+\.dist-info\/METADATA$/.test(path);
  const found = unzipSync(wheel, { filter: ({ name: path }) => isMetadata(path) });
  const [metadata] = Object.values(found);
  if (metadata === undefined) throw new Error(`${name} is not a wheel: it has no METADATA.`);
  return new TextDecoder().decode(metadata);
}
