/** Svelte contexts for the shared UI state: all of it, and the part that results need. */

import { createContext } from 'svelte';
import { setResultUi } from './result-ui.ts';
import type { Ui } from './ui.svelte.ts';

const [getUi, setWholeUi] = createContext<Ui>();

export { getUi };

export function setUi(ui: Ui): void {
  setResultUi(ui);
  setWholeUi(ui);
}
