/** Gives resources and prompts of a server the same interface, so that one component shows both. */

import type { ServerView } from '../../../agent/mcp/server.ts';
import type { ListedPrompt, ListedResource } from '../../../runtime/protocol/mcp.ts';
import type { ContentPart } from '../../../runtime/spec/result.ts';
import { draftOf, filesOf } from './offer-as-draft.ts';
import type { ServersState } from './servers-state.svelte.ts';

export type Values = Record<string, string>;

export interface Offered {
  readonly title: string;
  readonly detail: string;
  readonly description: string;
  /** Label of the button that asks the server for it. */
  readonly words: string;
  /** The values that the user enters first. */
  readonly fields: ListedPrompt['arguments'];
  readonly complete: (field: string, value: string, others: Values) => Promise<readonly string[]>;
  /** Addresses of resources that have changed since they were read. */
  readonly outdated: readonly string[];
  /** @throws {ToolError} */
  ask(values: Values): Promise<{
    /** The address of the resource; empty for a prompt. */
    readonly uri: string;
    readonly parts: readonly ContentPart[];
    /** Label of the button that puts the answer into a message. */
    readonly words: string;
    /** Text and files for a message. */
    draft(): { readonly text: string; readonly files: readonly File[] };
  }>;
}

export function offerResource(
  { id, outdated }: ServerView,
  servers: ServersState,
  { uri, name, description, variables }: ListedResource,
): Offered {
  const server = servers.server(id);
  return {
    title: name,
    detail: uri,
    description,
    words: 'Read',
    fields: variables.map((variable) => ({ name: variable, description: '', required: true })),
    complete: (field, value, others) =>
      server.complete({ of: { template: uri }, field, value, others }),
    outdated,
    ask: async (values) => {
      const read = await server.read(uri, variables.length === 0 ? null : values);
      const { parts } = read;
      return {
        ...read,
        words: 'Attach to a message',
        draft: () => ({ text: '', files: filesOf(parts, name) }),
      };
    },
  };
}

export function offerPrompt(
  { id }: ServerView,
  servers: ServersState,
  { name, title, description, arguments: fields }: ListedPrompt,
): Offered {
  const server = servers.server(id);
  return {
    title,
    detail: name === title ? '' : name,
    description,
    words: 'Fill in',
    fields,
    complete: (field, value, others) =>
      server.complete({ of: { prompt: name }, field, value, others }),
    outdated: [],
    ask: async (values) => {
      const filled = Object.entries(values).filter(([, value]) => value !== '');
      const messages = await server.prompt(name, Object.fromEntries(filled));
      const { text, others } = draftOf(messages);
      return {
        uri: '',
        parts: messages.map(({ part }) => part),
        words: 'Put into a message',
        draft: () => ({ text, files: filesOf(others, name) }),
      };
    },
  };
}
