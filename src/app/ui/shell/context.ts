/** Svelte context for the shared UI state. */

import { createContext } from 'svelte';
import type { Ui } from './ui.svelte.ts';

export const [getUi, setUi] = createContext<Ui>();
