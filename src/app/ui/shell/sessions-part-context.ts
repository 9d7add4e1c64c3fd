/** Svelte context for the lazy sessions part; nothing in that part imports this. */

import { createContext } from 'svelte';
import type { SessionsPart } from '../sessions/sessions-part.ts';
import type { LazyPart } from '../parts/lazy-part.svelte.ts';

export const [getSessionsPart, setSessionsPart] = createContext<LazyPart<SessionsPart>>();
