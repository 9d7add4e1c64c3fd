/** How components reach what they share. */

import { createContext } from 'svelte';
import type { Ui } from './ui.svelte.ts';

export const [getUi, setUi] = createContext<Ui>();
