/** How the parts of the face of sessions reach what they share. */

import { createContext } from 'svelte';
import type { OpenSession } from './open-session.svelte.ts';
import type { Sessions } from './sessions.svelte.ts';

export const [getSessions, setSessions] = createContext<Sessions>();

/** Asked for anew where it is used: another session may be shown. */
export const [getShown, setShown] = createContext<() => OpenSession>();
