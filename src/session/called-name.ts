/** How a call is named: by the tool that was meant, or as the model said it where that is no tool. */

import type { AskedCall } from '../spec/model.ts';

export function calledName({ tool, wire }: Pick<AskedCall, 'tool' | 'wire'>): string {
  return tool === '' ? wire : tool;
}
