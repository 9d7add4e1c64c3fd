/** Writes the chosen specs into files, one after the other. */

import { until } from '../../../runtime/hooks/until.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import type { SpecPreview, Written } from './spec-preview.svelte.ts';
import { bytesOf } from './text-bytes.ts';

export interface WrittenFile {
  readonly preview: SpecPreview;
  /** Names of the tools whose specs were written. */
  readonly names: readonly string[];
  readonly outcome: Written;
}

/** Call it while a key or a click is handled, since the browser may ask for permission. Never rejects. */
export async function writeSpecs(
  ui: Ui,
  previews: readonly SpecPreview[],
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = [];
  let isCopied = false;
  for (const preview of previews) {
    const { chosen, after, before, path } = preview;
    if (after === null) continue;
    const names = [...chosen];
    const outcome = isCopied
      ? await writeInCopy(ui, path, before, after)
      : await preview.write().catch((): Written => 'changed');
    written.push({ preview, names, outcome });
    if (outcome === 'copied' && !isCopied) {
      isCopied = true;
      const { status } = ui.app;
      // Waits until the copy has been read, or reading it has failed.
      await until(status, () => /ready|failed|none/.test(status.get().phase));
    }
  }
  return written;
}

/** The first file was saved in a copy of the folder, which now is the open one. */
async function writeInCopy(ui: Ui, path: string, before: string, after: string): Promise<Written> {
  try {
    const control = await ui.late.files.control();
    const saved = await control.save(path, bytesOf(after), { replaces: bytesOf(before) });
    return saved.at === 'saved' ? 'copied' : 'changed';
  } catch {
    return 'changed';
  }
}
