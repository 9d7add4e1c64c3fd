/** The boot script of the sandbox frame, which the policies of page and frame allow by its hash. */
import { join } from 'node:path';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import { sha256 } from './digest.ts';
import type { Made } from './product.ts';

export interface FrameBoot {
  source: string;
  /** SHA-256 of exactly `source`, in base64, as in a policy. */
  hash: string;
}

export async function frameBoot(settings: BuildSettings): Promise<Made<FrameBoot>> {
  const script = await bundleClassic(join(settings.root, 'workers/frame/boot.ts'), settings);
  const source = script.value.trim();
  if (/<\/script|<!--|\r/i.test(source)) {
    throw new Error('workers/frame/boot.ts: its text would end or change its <script> element.');
  }
  return { value: { source, hash: sha256(source, 'base64') }, sources: script.sources };
}
