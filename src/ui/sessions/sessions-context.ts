/** How the parts of the sessions part reach what they share. */

import { createContext } from 'svelte';
import type { OpenSession } from './open-session.svelte.ts';
import type { Sessions } from './sessions.svelte.ts';

export const [getSessions, setSessions] = createContext<Sessions>();

/** A function, since another session may be shown later. */
export const [getShown, setShown] = createContext<() => OpenSession>();
