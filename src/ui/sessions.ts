/** The face of sessions: one chunk, loaded when it is first wanted, so that it weighs on nothing else. */

import ModelsSection from './session/ModelsSection.svelte';
import SessionsPlace from './session/SessionsPlace.svelte';
import SessionsRail from './session/SessionsRail.svelte';
import StatusEntries from './session/StatusEntries.svelte';
import { Sessions } from './session/sessions.svelte.ts';
import type { Ui } from './state/ui.svelte.ts';

export interface SessionsFace {
  /** Shared by the parts: each is given it. */
  readonly state: Sessions;
  /** Of the settings. */
  readonly Models: typeof ModelsSection;
  readonly Place: typeof SessionsPlace;
  readonly Rail: typeof SessionsRail;
  readonly StatusEntries: typeof StatusEntries;
}

export function openSessions(ui: Ui): SessionsFace {
  return {
    state: new Sessions(ui),
    Models: ModelsSection,
    Place: SessionsPlace,
    Rail: SessionsRail,
    StatusEntries,
  };
}
