/** Text of questions: caller, warnings, and possible answers. */

import type { PolicyView } from '../../../runtime/grants/folder-policy.ts';
import type {
  CallQuestion,
  NetworkQuestion,
  Question,
  Reply,
} from '../../../runtime/grants/questions.ts';
import { isOfModel, type Caller } from '../../../runtime/spec/call.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import { jsonFault } from '../json/json-fault.ts';
import { visibleText } from '../parts/visible-text.ts';

export interface ReplyChoice {
  readonly reply: Reply;
  readonly words: string;
  readonly allows: boolean;
}

export const callerWords: Readonly<Record<Caller, string>> = {
  user: 'you',
  model: 'the model',
  http: 'an API client',
  mcp: 'an MCP client',
  webmcp: 'the agent of this browser',
  page: 'the console of this page',
  extension: 'an extension',
  'sub-agent': 'a sub-agent',
  test: 'a test',
  program: 'a program',
  app: 'the app of a tool',
};

const requesterWords: Readonly<Record<Question['kind'], string>> = {
  network: 'Tool request',
  approve: 'Tool request',
  call: 'Tool request',
  packages: 'Folder request',
  powers: 'Folder request',
  plan: 'Request of an extension',
  site: 'Site request',
  form: 'Server request',
  address: 'Server request',
};

/** Says who asks. A question about a plan has no tool if a page has sent the plan. */
export function requesterOf(question: Question): string {
  if (question.kind === 'plan' && question.tool === '') return 'Request of a page';
  return requesterWords[question.kind];
}

/** The session whose turn waits for the answer; empty if the question's call belongs to none. */
export function waitingSession({ app }: Pick<Ui, 'app'>, { callId }: Question): string {
  const call = app.calls.running.find(({ id }) => id === callId);
  return call === undefined || !isOfModel(call.caller) || call.turnId === '' ? '' : call.sessionId;
}

/** Warnings to read before the pages of a site may call tools. */
export function siteNotes(origin: string): readonly string[] {
  return warningsOf(origin, 'change the page');
}

/** Warnings to read before data is sent to an origin. */
export function originNotes(origin: string): readonly string[] {
  return warningsOf(origin, 'read and change the data');
}

/** Warnings and facts to read before an origin is allowed. */
export function notesOf(
  { origin }: Pick<NetworkQuestion, 'origin'>,
  { secrets }: Pick<PolicyView, 'secrets'>,
): readonly string[] {
  const kept = secrets.filter((secret) => secret.origin === origin).map(({ header }) => header);
  return [
    ...originNotes(origin),
    ...(kept.length > 0
      ? [`Your secrets for this origin are added to each request: ${kept.join(', ')}.`]
      : []),
  ];
}

function warningsOf(origin: string, others: string): readonly string[] {
  const { protocol, hostname } = new URL(origin);
  return [
    ...(/(^|\.)xn--/.test(hostname)
      ? ['The name contains characters from other alphabets and may imitate another name.']
      : []),
    ...(protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
      ? [`The connection is not encrypted: others on the network can ${others}.`]
      : []),
  ];
}

/**
 * Matches spaces, and characters that are drawn as nothing although Unicode does not count them as
 * spaces.
 */
const blanks = /[\u{16fe4}\ufe0e-\ufe0f\u180b-\u180d\u180f\s\u200c-\u200d\u2800\u{1d159}]+/gu;
/** Longest blank part of a line; characters. */
const maxBlanks = 80;

/** Limit of a question, which tools cannot exceed; characters. */
const maxWords = 2_000;

/** The words of a tool's question. Empty lines and blank parts of lines cannot move them out of view. */
export function wordsOf(question: string): string {
  const words = question.replace(blanks, (blank) => {
    const parts = blank.split('\n').map((part) => Array.from(part).slice(0, maxBlanks).join(''));
    return parts.length > 3 ? `\n\n${parts.at(-1) ?? ''}` : parts.join('\n');
  });
  return visibleText(words.trim(), maxWords);
}

/** Limit of arguments that can be edited; characters. */
export const longestChanged = 100_000;

/** Why a text is not valid as a call's arguments; empty if it is. */
export function argumentsFault(text: string): string {
  const fault = jsonFault(text);
  if (fault !== null) return `Line ${fault.line}, column ${fault.column}: ${fault.message}`;
  return /^\s*\{/.test(text) ? '' : 'Arguments must be a JSON object: { … }';
}

/**
 * Answers that refuse come first, since they are the safe choice.
 * @param isTemporary decisions for this folder are not stored
 */
export function choicesOf(question: Question, isTemporary: boolean): readonly ReplyChoice[] {
  const { kind } = question;
  if (kind === 'approve')
    return [
      { reply: 'no', words: 'Deny', allows: false },
      { reply: 'once', words: 'Approve', allows: true },
    ];
  if (kind === 'form' || kind === 'address')
    return [
      { reply: 'no', words: 'Decline', allows: false },
      { reply: 'once', words: kind === 'form' ? 'Send' : 'Open in a new tab', allows: true },
    ];
  if (kind === 'call' && question.site !== undefined)
    return [
      { reply: 'no', words: 'Deny', allows: false },
      { reply: 'once', words: 'Allow once', allows: true },
    ];
  if (kind === 'call')
    return [
      { reply: 'no', words: 'Deny', allows: false },
      {
        reply: 'never',
        words: isTemporary ? 'Never for this visit' : 'Never allow',
        allows: false,
      },
      { reply: 'once', words: onceWords(question), allows: true },
      ...(question.calls === undefined
        ? []
        : [{ reply: 'program', words: 'Allow for this program', allows: true } as const]),
      ...(question.inSession
        ? [
            {
              reply: 'session',
              words: question.task === null ? 'Allow for this session' : 'Allow for this run',
              allows: true,
            } as const,
          ]
        : []),
      {
        reply: 'always',
        words: isTemporary ? 'Allow for this visit' : 'Always allow',
        allows: true,
      },
    ];
  if (kind === 'site')
    return [
      { reply: 'no', words: 'Not now', allows: false },
      { reply: 'never', words: 'Never', allows: false },
      { reply: 'visit', words: 'Allow until Cloche is closed', allows: true },
      { reply: 'always', words: 'Always allow', allows: true },
    ];
  if (kind === 'plan' && question.caller === 'extension')
    return [
      { reply: 'no', words: 'Not now', allows: false },
      { reply: 'never', words: isTemporary ? 'Never for this visit' : 'Never', allows: false },
      { reply: 'once', words: 'Allow once', allows: true },
    ];
  const kept: ReplyChoice = {
    reply: 'always',
    words: kind === 'powers' ? 'Allow for this file' : 'Always allow for this folder',
    allows: true,
  };
  return [
    { reply: 'no', words: 'Not now', allows: false },
    { reply: 'never', words: isTemporary ? 'Never for this visit' : 'Never', allows: false },
    ...(kind === 'network' || kind === 'plan'
      ? [{ reply: 'once', words: 'Allow once', allows: true } as const]
      : []),
    { reply: 'visit', words: 'Allow for this visit', allows: true },
    ...(isTemporary ? [] : [kept]),
  ];
}

/** Names how many calls of a program the answer is for. */
function onceWords({ calls = [] }: CallQuestion): string {
  return calls.length > 1 ? `Allow these ${calls.length} calls` : 'Allow once';
}

/** The hosts that are contacted when packages are fetched from an index, as far as known. */
export function hostsOf(index: string): readonly string[] {
  const { host } = new URL(index);
  const files = host === 'pypi.org' ? 'files.pythonhosted.org' : `hosts that ${host} links to`;
  return [...new Set([host, files, 'cdn.jsdelivr.net'])];
}
