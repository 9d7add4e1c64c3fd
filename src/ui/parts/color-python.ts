/** Colours Python text once the parser has loaded; it is readable without. */

import type { CodeColors } from './python-colors.ts';

/** @param use is not called for text that cannot be parsed, or after the end @returns ends it */
export function colorPython(text: string, use: (colors: CodeColors) => void): () => void {
  const ended = new AbortController();
  void import('./python-colors.ts')
    .then(({ pythonColors }) => pythonColors(ended.signal, text))
    .then(
      (colors) => {
        if (colors !== null && !ended.signal.aborted) use(colors);
      },
      () => undefined,
    );
  return () => ended.abort();
}
