/** Errors for requests that are refused or get no response. */

import { fromBase64 } from '../spec/bytes.ts';
import { maxRequestBytes, type AskError, type FetchAsk } from '../protocol/ask.ts';
import { askedEnough } from './program-question-counts.ts';
import { unaskable, type Answered } from './questions.ts';

/** Raised in Python as the exception named by `error`. */
export class Refusal extends Error {
  readonly error: AskError;
  constructor(error: AskError, message: string) {
    super(message);
    this.error = error;
  }
}

/** Returns the bytes to send; null without a body. @throws {Refusal} */
export function requestBody({ body, method }: FetchAsk): Uint8Array<ArrayBuffer> | null {
  if (body === null) return null;
  const bytes = fromBase64(body);
  if (bytes === null) throw new Refusal('ValueError', 'The body of the request cannot be read.');
  if (bytes.byteLength > maxRequestBytes)
    throw new Refusal(
      'ValueError',
      `The body of the request is larger than the limit of ${maxRequestBytes / 2 ** 20} MB.`,
    );
  if (/^(get|head)$/i.test(method))
    throw new Refusal('ValueError', `Browsers send no body with ${method.toUpperCase()}.`);
  return bytes;
}

/** The refusal of a request whose origin the user has not allowed. */
export class Ungranted extends Refusal {
  constructor(message: string) {
    super('PermissionError', message);
  }
}

const notGranted = 'the user has not granted access';
/** Why a request with a key from the tool's code is refused. */
export const keyRefused = 'tools cannot send keys: add the key as a secret on the Policy page';
const localOff = 'Local addresses are off.';

/** Whether an error says that a request was refused for lack of a grant. A tool could write the same. */
export function saysUngranted(error: string): boolean {
  return error.includes(notGranted) || error.includes(localOff);
}

/** Whether an error says that a request was refused because it had a key from the tool's code. A tool could write the same. */
export function saysKeyRefused(error: string): boolean {
  return error.includes(keyRefused);
}

/** The refusal of an address of this computer or its network. */
export function deniedLocal(origin: string): Ungranted {
  return new Ungranted(
    `${origin} is on this computer or its local network. ${localOff} The user can allow them on the Policy page.`,
  );
}

/** The refusal of a request that the user has not allowed, or was not asked about. */
export function denied(origin: string, answered?: Answered): Ungranted {
  const why =
    answered?.reply === null
      ? {
          'too-many': ' Too many questions are waiting.',
          program: ` ${askedEnough}`,
          'never-again': ' The user has turned off such questions until Cloche is opened again.',
          'given-up': '',
          timeout: ' The user did not answer in time.',
          framed: ` ${unaskable.framed}`,
          unanswered: ` ${unaskable.unanswered}`,
        }[answered.why]
      : '';
  // Pages that cannot ask have no Policy page.
  const isAsked = answered?.reply !== null || answered.why !== 'unanswered';
  const more = isAsked ? ' See the Policy page.' : '';
  return new Ungranted(`${origin} is not allowed: ${notGranted}.${why}${more}`);
}
