/** Writes calls down as they begin and end, with the folder that is open at their beginning. */

import type { Hands } from './app-hands.ts';
import type { OpenFolder } from './app-types.ts';
import type { Beginning } from './call/call-path.ts';
import type { ToolCall } from './spec/call.ts';

/** @param opened what is open when a call ends may be another folder */
export function logBegin(
  { log, folderId }: Pick<Hands, 'log' | 'folderId'>,
  opened: OpenFolder | null,
  call: ToolCall,
  at: number,
): Beginning {
  const folder = opened?.snapshot.name ?? '';
  const begun = {
    id: call.id,
    at,
    call,
    folder,
    folderId: (opened && folderId(opened.source)) ?? '',
  };
  return {
    admitted: log.begin(begun),
    end: (result, endedAt, ran) => {
      const asRun = ran === call.arguments ? call : { ...call, arguments: ran };
      log.add({ ...begun, call: asRun, at: endedAt, result, cut: false });
    },
  };
}
