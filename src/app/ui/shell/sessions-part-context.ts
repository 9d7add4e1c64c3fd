/** Svelte context for the lazy sessions part. It is not in context.ts, which that part imports: the two would need each other. */

import { createContext } from 'svelte';
import type { SessionsPart } from '../sessions/sessions-part.ts';
import type { LazyPart } from '../parts/lazy-part.svelte.ts';

export const [getSessionsPart, setSessionsPart] = createContext<LazyPart<SessionsPart>>();
