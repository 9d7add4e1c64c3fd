/** Observes the messages of the connection to a server. */

import { asFields, parseJson } from '../../../runtime/spec/guards.ts';
import { asText } from '../../../runtime/spec/lenient.ts';
import type { LastAnswer } from './connect-fault.ts';
import type { WireTap } from './server-fetch.ts';
import type { MessageTrace } from './trace.ts';

/** Limit of what is kept of an answer, to say what it means; characters. */
const maxText = 1_000;

export function tapOf(trace: MessageTrace, onAnswer: (answer: LastAnswer) => void): WireTap {
  return {
    sent: (request) => {
      const traced = trace.sent(request);
      const { method } = asFields(parseJson(request.body));
      let answer: LastAnswer = {
        status: 0,
        mediaType: '',
        text: '',
        rpc: asText(method),
        hasSession: request.headers.has('mcp-session-id'),
      };
      // An earlier answer says nothing about this request.
      onAnswer(answer);
      return {
        answered: (response) => {
          traced.answered(response);
          const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';');
          answer = {
            ...answer,
            status: response.status,
            mediaType: mediaType.trim().toLowerCase(),
          };
          onAnswer(answer);
        },
        message: (text) => {
          traced.message(text);
          answer = { ...answer, text: text.slice(0, maxText) };
          onAnswer(answer);
        },
        failed: (fault) => traced.failed(fault),
      };
    },
  };
}
