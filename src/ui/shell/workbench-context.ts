/** How the parts of the first paint reach the workbench, which comes later; nothing in the workbench imports this. */

import { createContext } from 'svelte';
import type { Loading } from './loading.svelte.ts';
import type * as Workbench from './workbench.ts';

export const [getWorkbench, setWorkbench] = createContext<Loading<typeof Workbench>>();
