/** How the parts of the policy page reach the state that they share. */

import { createContext } from 'svelte';
import type { PolicyState } from '../state/policy.svelte.ts';

export const [getGrants, setGrants] = createContext<PolicyState>();
