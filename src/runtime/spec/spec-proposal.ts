/** Types of the specs that Cloche would write for the functions of a tool file. */

import type { proposedTool, pythonProposal } from './schemas/python-proposal.ts';
import type { Accepted } from './schemas/schema.ts';

export type ProposedTool = Accepted<typeof proposedTool>;
export type SpecProposal = Accepted<typeof pythonProposal>;
