/** Svelte context for the components of the sessions part. */

import { createContext } from 'svelte';
import type { OpenSession } from './open-session.svelte.ts';
import type { Sessions } from './sessions.svelte.ts';

export const [getSessions, setSessions] = createContext<Sessions>();

/** The context is an object, since another session can be shown in the same components later. */
export const [getShownSession, setShownSession] = createContext<{
  readonly current: OpenSession;
}>();
