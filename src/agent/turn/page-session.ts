/** The part of a live session that the page and extensions use. */

import type { Background } from './live-session-types.ts';
import type { LiveSession } from './live-session.ts';
import type { ToolSelection } from './selection.ts';

export type PageSession = Omit<
  LiveSession,
  'background' | 'selection' | 'notify' | 'answered' | 'pythonRestarted' | 'settled' | 'dispose'
> & {
  readonly background: Background;
  readonly selection: Pick<ToolSelection, 'programs' | 'usePrograms'>;
};
