/** Masks for tests of calls. */

import { outputMasks, type OutputMask } from './output-mask.ts';

/** For folders without keys. */
export const noMask = (): Promise<OutputMask> => Promise.resolve(outputMasks(() => [])());
