/** Vite plugin: the editor parses a file in short tasks while the page is idle. */
import type { Plugin } from 'vite';

/** In browsers that report pending input, CodeMirror has no setting for how long it parses without a pause. */
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

/** @param code the source of `@codemirror/language` @throws if the limit is missing, so that a change in a new version is noticed */
export function withShortSlices(code: string): string {
  if (code.split(slice).length !== 2)
    throw new Error(
      `@codemirror/language no longer contains “${slice}”: find what limits its parse worker now, and adapt ${import.meta.filename}.`,
    );
  return code.replace(slice, shortSlice);
}
