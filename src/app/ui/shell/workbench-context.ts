/** Svelte context for the lazy workbench; nothing in the workbench imports this. */

import { createContext } from 'svelte';
import type { LazyPart } from '../parts/lazy-part.svelte.ts';
import type * as Workbench from './workbench.ts';

export const [getWorkbench, setWorkbench] = createContext<LazyPart<typeof Workbench>>();
