/** Takes up an inspection from the broker tool by tool, so that a file with many holds nobody up. */

import { createPacer } from '../async/pace.ts';
import type { Inspection, PackedInspection } from '../spec/inspection.ts';
import type { Tool } from '../spec/tool.ts';

export async function unpack(packed: PackedInspection): Promise<Inspection> {
  const pacer = createPacer();
  const tools: Tool[] = [];
  for (const text of packed.tools) {
    if (pacer.due()) await pacer.rest();
    // The broker has looked at it, and has written this text itself.
    tools.push(JSON.parse(text) as Tool);
  }
  return { ...packed, tools };
}
