/** The pages of evaluations; loaded when one of them is shown. */

export { default as EvalPage } from './EvalPage.svelte';
export { default as EvalsPage } from './EvalsPage.svelte';
