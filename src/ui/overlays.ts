/** What floats above the page on request: loaded when it is first asked for, as one chunk. */

export { default as KeyboardMap } from './palette/KeyboardMap.svelte';
export { default as Palette } from './palette/Palette.svelte';
