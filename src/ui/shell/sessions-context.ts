/** How the frame reaches the face of sessions, which comes when it is first wanted; nothing in that imports this. */

import { createContext } from 'svelte';
import type { SessionsFace } from '../sessions/sessions.ts';
import type { Loading } from './loading.svelte.ts';

export const [getSessionsFace, setSessionsFace] = createContext<Loading<SessionsFace>>();
