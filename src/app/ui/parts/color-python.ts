/** Colours Python text once the parser has loaded. */

import type { CodeColors } from './python-colors.ts';

/** @param use not called if the text cannot be parsed @returns a function after which it is not called */
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
