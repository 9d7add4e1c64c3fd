/** The pages of evaluations; loaded when one of them is shown. */

import type { EvalsControl } from '../../app/app.ts';
import EvalPage from './EvalPage.svelte';
import EvalsPage from './EvalsPage.svelte';
import { EvalsState } from './evals-state.svelte.ts';

export interface EvalsUi {
  readonly state: EvalsState;
  readonly EvalsPage: typeof EvalsPage;
  readonly EvalPage: typeof EvalPage;
}

export function openEvals(control: EvalsControl): EvalsUi {
  return { state: new EvalsState(control), EvalsPage, EvalPage };
}
