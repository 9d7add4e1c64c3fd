/** What a recording is called where it is offered: what is scripted says so beside it. */

import type { Recording } from '../../../spec/recording.ts';

export function recordingName({ title, scripted }: Pick<Recording, 'title' | 'scripted'>): string {
  return (scripted ? title.replace(/^Scripted example:\s*/i, '') : title).slice(0, 80);
}
