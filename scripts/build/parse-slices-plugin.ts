/** Vite plugin: the editor parses a file in short tasks while the page is idle. */
import type { Plugin } from 'vite';

/** CodeMirror has no setting for the longest time that it parses without a pause, where the browser tells it of pending input. */
const slice = '100 /* Work.Slice */';
const shortSlice = '20 /* Work.Slice */';

export function parseSlicesPlugin(): Plugin {
  return {
    name: 'cloche:parse-slices',
    transform: {
      filter: { id: /@codemirror[\\/]language[\\/]dist[\\/]index\.js/ },
      handler: (code) => ({ code: withShortSlices(code), map: null }),
    },
  };
}

/** @param code the source of `@codemirror/language` @throws if it has no such limit, so that a new version is noticed */
export function withShortSlices(code: string): string {
  if (code.split(slice).length !== 2)
    throw new Error(
      `@codemirror/language has no “${slice}” any more: find what bounds its parse worker, and change ${import.meta.filename}.`,
    );
  return code.replace(slice, shortSlice);
}
