/** Questions in words: what is asked, and what the person may say. */

import type { Question, Reply } from '../../grants/questions.ts';
import { visibleText } from '../text/visible-text.ts';

export interface ReplyChoice {
  readonly reply: Reply;
  readonly words: string;
  readonly allows: boolean;
}

export function titleOf(question: Question): string {
  switch (question.kind) {
    case 'network':
      return `Reach ${visibleText(question.origin)}?`;
    case 'approve':
      return 'A tool asks for your approval';
    case 'call':
      return `Run ${visibleText(question.tool)}?`;
  }
}

/** What refuses comes first: it is the answer of who is in doubt. @param fleeting nothing is kept of this folder */
export function choicesOf({ kind }: Question, fleeting: boolean): readonly ReplyChoice[] {
  if (kind !== 'network')
    return [
      { reply: 'no', words: 'Deny', allows: false },
      { reply: 'once', words: kind === 'approve' ? 'Approve' : 'Allow this call', allows: true },
    ];
  const kept: ReplyChoice = {
    reply: 'always',
    words: 'Always for this folder',
    allows: true,
  };
  return [
    { reply: 'no', words: 'Not now', allows: false },
    { reply: 'never', words: fleeting ? 'Never in this visit' : 'Never', allows: false },
    { reply: 'once', words: 'Allow once', allows: true },
    { reply: 'visit', words: 'Allow for this visit', allows: true },
    ...(fleeting ? [] : [kept]),
  ];
}
