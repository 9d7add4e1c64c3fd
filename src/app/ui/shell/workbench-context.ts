/** Svelte context through which the frame of the page reaches the workbench, which loads after the first paint. */

import { createContext } from 'svelte';
import type { LazyPart } from '../parts/lazy-part.svelte.ts';
import type * as Workbench from './workbench.ts';

export const [getWorkbench, setWorkbench] = createContext<LazyPart<typeof Workbench>>();
