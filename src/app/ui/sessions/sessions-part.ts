/** The sessions part: one chunk, loaded on first use. */

import '../styles/controls.css';
import ModelsSection from './models/ModelsSection.svelte';
import SessionsPlace from './SessionsPlace.svelte';
import SessionsRail from './list/SessionsRail.svelte';
import { Sessions } from './sessions.svelte.ts';
import type { Ui } from '../shell/ui.svelte.ts';

export interface SessionsPart {
  /** The state that the part's components share. */
  readonly state: Sessions;
  /** The section of the settings. */
  readonly Models: typeof ModelsSection;
  readonly Place: typeof SessionsPlace;
  readonly Rail: typeof SessionsRail;
}

export function openSessions(ui: Ui): SessionsPart {
  return {
    state: new Sessions(ui),
    Models: ModelsSection,
    Place: SessionsPlace,
    Rail: SessionsRail,
  };
}
