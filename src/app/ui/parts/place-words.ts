/** Where the listed tools are from, such as “ in 2 files and 1 server”; empty if there are none. */

import type { RegisteredTool } from '../../../runtime/spec/tool.ts';
import { countText } from '../../../runtime/spec/count-text.ts';

interface Group {
  readonly tools: readonly { readonly tool: Pick<RegisteredTool, 'server'> }[];
}

export function placeWords(groups: readonly Group[]): string {
  const defining = groups.filter(({ tools }) => tools.length > 0);
  const servers = defining.filter(({ tools }) => tools[0]?.tool.server !== undefined).length;
  const files = defining.length - servers;
  const places = [
    files > 0 ? countText(files, 'file') : '',
    servers > 0 ? countText(servers, 'server') : '',
  ].filter(Boolean);
  return places.length === 0 ? '' : ` in ${places.join(' and ')}`;
}
