/** Masks for tests of calls. */

import { outputMask, type OutputMask } from './output-mask.ts';

/** The mask of folders without keys. */
export const noMask = (): Promise<OutputMask> => Promise.resolve(outputMask(() => []));
