/** Svelte context for the components of the sessions part. */

import { createContext } from 'svelte';
import type { OpenSession } from './open-session.svelte.ts';
import type { Sessions } from './sessions.svelte.ts';

export const [getSessions, setSessions] = createContext<Sessions>();

/** The context is a function, since the shown session can change. */
export const [getShown, setShown] = createContext<() => OpenSession>();
