/** How the parts of the policy page, and those of a question, reach the state that they share. */

import { createContext } from 'svelte';
import type { PolicyState } from './policy.svelte.ts';

export const [getGrants, setGrants] = createContext<PolicyState>();
