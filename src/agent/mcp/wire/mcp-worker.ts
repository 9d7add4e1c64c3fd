/** Speaks MCP with one server, through the official client. Runs in workers/mcp. */

import {
  StreamableHTTPClientTransport,
  isSpecType,
  type Client,
  type Transport,
} from '@modelcontextprotocol/client';
import {
  reportMs,
  signInProblem,
  type Answer,
  type McpFault,
  type McpOutcome,
  type McpWorker,
  type ServerFacts,
  type ServerReport,
  type ToolListing,
} from '../../../runtime/protocol/mcp.ts';
import { asObject, asFields, isObject, parseJson } from '../../../runtime/spec/guards.ts';
import {
  answerFault,
  unreachableFault,
  type LastAnswer,
  type PageNetwork,
} from './connect-fault.ts';
import { ExactContents, exactNumberReviver } from './exact-numbers.ts';
import { boundListing } from './listed-tools.ts';
import { anyResult, listTools, requestMs } from './list-pages.ts';
import { requestCompletions, listOffers } from './offers.ts';
import { messagesOf, outcomeOf } from './call-outcome.ts';
import { ReadResources } from './read-resources.ts';
import { resourceContents } from './resource.ts';
import { faultOf, McpError } from './mcp-error.ts';
import { replayRequest } from './replay-request.ts';
import { serverFetch, type Asked, type Fetch } from './server-fetch.ts';
import { SignIn, Tokens, challengeOf, type Challenge } from './sign-in.ts';
import { Asks } from './server-asks.ts';
import { Reports } from './server-reports.ts';
import { RunningCall } from './running-call.ts';
import { logLevel, withLogs } from './server-log.ts';
import { watchConnection } from './watch-connection.ts';
import { tapOf } from './tap.ts';
import { MessageTrace } from './trace.ts';
import { newClient } from './new-client.ts';
import { mayBeOld, oldTransport, oldTransportProblem } from './old-transport.ts';
import { createEndedError, readResponse, type ResponseDeps } from './leniency/response.ts';

const connectMs = 30_000;
/** Longest wait until a server has ended a session; milliseconds. */
const endMs = 2_000;
/** Connecting that takes longer is a problem of the server; milliseconds. */
const slowMs = 5_000;
/** Limits of texts that a server says about itself, and of messages of its errors; characters. */
const maxName = 200;
const maxText = 4_000;
const maxCapabilities = 50;

const noPage: PageNetwork = {
  origin: '',
  online: () => true,
  permission: () => Promise.resolve(null),
};

export function mcpWorker(fetch: Fetch, page: PageNetwork = noPage): McpWorker {
  const reports = new Reports(reportMs);
  const trace = new MessageTrace(() => Date.now());
  const exact = new ExactContents();
  const calls = new Map<number, RunningCall>();
  const callsByArguments = new WeakMap<object, RunningCall>();
  const asks = new Asks((ask) => reports.ask(ask));
  const lenient: ResponseDeps = {
    note: (problem) => reports.problem(problem),
    received: (text, id) => exact.received(text, id),
  };
  const noteSignIn = (problem: string): void => reports.problem(`${signInProblem}${problem}`);
  const latestCall = (): RunningCall | undefined => [...calls.values()].at(-1);
  /** The definitions that were listed, by name. */
  let definitions = new Map<string, unknown>();
  /** How the server wants users to sign in, as far as it has said. */
  let challenge: Challenge = {};
  let signIn: SignIn | null = null;
  let replays = 0;
  /** The resources that the next connection follows. */
  let followed: readonly string[] = [];
  let current:
    | (Opened & {
        url: URL;
        send: ReturnType<typeof serverFetch>;
        tokens: Tokens | null;
        resources: ReadResources;
      })
    | null = null;

  const connected = (): NonNullable<typeof current> => {
    if (current === null) throw new McpError('lost', 'There is no connection.');
    // The stream of a server of 2024-11-05 is its connection, and may end at any time.
    if (current.client.transport === undefined) throw new McpError('lost', closedByServer);
    return current;
  };
  const end = async (): Promise<void> => {
    const before = current;
    current = null;
    if (before === null) return;
    followed = before.resources.followed;
    const ended = before.http?.terminateSession().catch(() => undefined);
    // A server that hangs, which is why users reconnect, does not answer this either.
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, endMs))]);
    await before.client.close().catch(() => undefined);
  };

  return {
    connect: ({ access }) =>
      answer(async (): Promise<ServerFacts> => {
        await end();
        // The client hides the latest failure behind an error of its negotiation.
        const latest: Latest = { fault: null, answer: null };
        const url = new URL(access.url);
        const reach = { server: url, headers: access.headers, others: [] };
        const { signedIn } = access;
        trace.hide(access.headers, signedIn?.secrets ?? []);
        const tap = tapOf(trace, (answered) => {
          latest.answer = answered;
        });
        const onFault = (fault: McpFault): void => {
          latest.fault = fault;
          // The client would wait for an answer whose stream was given up.
          if (fault.cause === 'limit') for (const call of calls.values()) call.fail(fault);
        };
        const send = serverFetch(fetch, reach, onFault, tap);
        const tokens =
          signedIn === null
            ? null
            : new Tokens(fetch, url, signedIn, {
                note: noteSignIn,
                onRefreshed: (fresh) => {
                  trace.hide([], fresh.signedIn.secrets);
                  reports.refreshed(fresh);
                },
              });
        const guarded = async (
          address: string | URL,
          init?: Asked,
          read?: (response: Response) => Promise<Response>,
        ): Promise<Response> => {
          const response = await send(address, init);
          const found = challengeOf(response, tokens?.scope ?? '');
          if (found === null) return read?.(response) ?? response;
          challenge = found;
          if (response.status === 401) return response;
          // The client does not distinguish missing rights from other refusals.
          const more = new McpError('sign-in', `${url.host} ${moreRights}`);
          onFault(more.fault);
          throw more;
        };
        const connectThrough = async (
          mode: 'auto' | 'legacy',
          transport: Transport,
        ): Promise<Client> => {
          const client = newClient(mode, { reports, asks, latestCall });
          const write = transport.send.bind(transport);
          transport.send = (message, options) => {
            exact.sent(message);
            const { params } = asFields(message);
            const call = callsByArguments.get(asObject(asFields(params).arguments));
            // In the legacy era, the client only tells the server that a call was cancelled, and continues to read.
            const { requestSignal = call?.streamSignal } = options ?? {};
            const onRequestStreamEnd = (): void => {
              const error = createEndedError(message);
              if (error !== null) transport.onmessage?.(error);
            };
            return write(message, {
              onRequestStreamEnd,
              ...options,
              ...(requestSignal && { requestSignal }),
            });
          };
          try {
            await client.connect(transport, { timeout: connectMs });
            return client;
          } catch (thrown) {
            await client.close().catch(() => undefined);
            throw thrown;
          }
        };
        const meaningOf = async (thrown: unknown): Promise<unknown> => {
          const { fault, answer: answered } = latest;
          const meant =
            fault === null
              ? answerFault(answered)
              : await unreachableFault(fault, url, fetch, page);
          return meant === null ? thrown : new McpError(meant.cause, meant.message, meant.status);
        };
        const newer = new StreamableHTTPClientTransport(url, {
          fetch: (address, init) =>
            guarded(address, init, (response) => readResponse(response, init ?? {}, lenient)),
          ...(tokens !== null && { authProvider: tokens }),
        });
        const began = performance.now();
        const connectOld = async (meant: unknown): Promise<Opened> => {
          const seen = { stream: false };
          const onStream = (): void => {
            seen.stream = true;
          };
          const old = oldTransport(url, { send: guarded, authProvider: tokens, onStream }, lenient);
          try {
            const client = await connectThrough('legacy', old.transport);
            return { client, http: null, address: old.address };
          } catch (thrown) {
            if (latest.fault !== null) throw await meaningOf(thrown);
            // If the old transport got no answer, the server's answer to the newer one says more.
            throw seen.stream || latest.answer?.status === 401 ? thrown : meant;
          }
        };
        const opened = await connectThrough('auto', newer).then(
          (client): Opened => ({ client, http: newer, address: () => url.href }),
          async (thrown: unknown): Promise<Opened> => {
            const meant = await meaningOf(thrown);
            if (latest.fault !== null || !mayBeOld(latest.answer)) throw meant;
            return connectOld(meant);
          },
        );
        const { client, http } = opened;
        const resources = new ReadResources(client, reports, followed);
        current = { ...opened, url, send, tokens, resources };
        watchConnection(client, reports, () => current?.client === client);
        // Servers of the other era learn the level from each call.
        if (client.getProtocolEra() !== 'modern' && client.getServerCapabilities()?.logging)
          await client
            .request({ method: 'logging/setLevel', params: { level: logLevel } }, timeLimit)
            .catch(() => undefined);
        const { name = '', version = '' } = client.getServerVersion() ?? {};
        const era = client.getProtocolEra() ?? 'legacy';
        trace.setEra(era);
        const latencyMs = performance.now() - began;
        return {
          name: name.slice(0, maxName),
          version: version.slice(0, maxName),
          instructions: (client.getInstructions() ?? '').slice(0, maxText),
          revision: (client.getNegotiatedProtocolVersion() ?? '').slice(0, maxName),
          era,
          capabilities: capabilityNames(client.getServerCapabilities()),
          latencyMs,
          problems: [
            ...(latencyMs > slowMs
              ? [`Connecting took ${Math.round(latencyMs / 1000)} s: some clients give up earlier.`]
              : []),
            ...(http === null ? [oldTransportProblem] : []),
          ],
        };
      }),

    signIn: ({ access: request }) =>
      answer(() => {
        if (signIn?.state !== request.state)
          signIn = new SignIn(request, fetch, challenge, noteSignIn);
        return signIn.begin(request.origins);
      }),

    finishSignIn: ({ access: code }) =>
      answer(async () => {
        if (signIn === null) throw new McpError('sign-in', 'No sign-in has begun.');
        const access = await signIn.finish(code);
        signIn = null;
        return { access, secrets: access.secrets };
      }),

    tools: () =>
      answer(async (): Promise<ToolListing> => {
        const { client, url } = connected();
        const listing = await boundListing(url.href, await listTools(client));
        // The client refuses results that break an outputSchema; they are worth seeing.
        definitions = new Map(
          listing.tools.map(({ name, text }) => [
            name,
            { ...asFields(parseJson(text)), outputSchema: undefined },
          ]),
        );
        return listing;
      }),

    offers: () => answer(() => listOffers(connected().client, lenient.note)),

    read: (uri, values) => answer(() => connected().resources.read(uri, values)),

    prompt: (name, values) =>
      answer(async () => {
        const params = { name, arguments: { ...values } };
        return messagesOf(await connected().client.getPrompt(params, timeLimit));
      }),

    complete: (asked) => answer(() => requestCompletions(connected().client, asked)),

    call: async (id, tool, args, ms) => {
      const running = new RunningCall(id, ms);
      calls.set(id, running);
      const answered = await answer(async (): Promise<McpOutcome> => {
        const { client } = connected();
        const value: unknown = JSON.parse(args, exactNumberReviver);
        if (isObject(value)) callsByArguments.set(value, running);
        const definition = definitions.get(tool);
        const calling = client.callTool(
          { name: tool, arguments: value as Record<string, unknown>, ...withLogs(client) },
          {
            signal: running.signal,
            timeout: longestMs,
            ...(isSpecType.Tool(definition) && { toolDefinition: definition }),
            onprogress: ({ progress, total, message }) => {
              running.heard();
              reports.progress(id, { progress, total, message: message?.slice(0, maxText) });
            },
          },
        );
        try {
          const result = await calling.catch((thrown: unknown) =>
            asks.askForPages(thrown, running),
          );
          return outcomeOf(exact.of(value, result));
        } finally {
          exact.end(value);
        }
      });
      running.end();
      calls.delete(id);
      const { fault } = running;
      return { answered: fault === null ? answered : { ok: false, fault }, ...reports.take(id) };
    },

    cancel: (id) => calls.get(id)?.cancel(),
    reply: (ask, given) => asks.answer(ask, given),
    resource: (uri) =>
      answer(async () => {
        const asked = { method: 'resources/read', params: { uri } };
        return resourceContents(await connected().client.request(asked, anyResult, timeLimit));
      }),

    revoke: () =>
      answer(async () => {
        await current?.tokens?.revoke();
        return null;
      }),

    trace: () => Promise.resolve({ ok: true, value: trace.read() }),

    replay: (n) =>
      answer(async () => {
        const { send, http, address, tokens } = connected();
        replays += 1;
        return replayRequest(trace.request(n), `replay-${replays}`, {
          send,
          address: address(),
          sessionId: http?.sessionId,
          token: await tokens?.token(),
        });
      }),

    next: (): Promise<ServerReport> => reports.next(),
    close: end,
  };
}

interface Opened {
  readonly client: Client;
  /** Null with the transport of 2024-11-05. */
  readonly http: StreamableHTTPClientTransport | null;
  /** Where messages are sent. */
  readonly address: () => string;
}

/** The latest failure and answer of a connection. */
interface Latest {
  fault: McpFault | null;
  answer: LastAnswer | null;
}

async function answer<T>(work: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    const fault = faultOf(thrown);
    return { ok: false, fault: { ...fault, message: fault.message.slice(0, maxText) } };
  }
}

const closedByServer =
  'The server closed the connection. Choose “Reconnect”. A tool call also reconnects automatically.';
const moreRights = 'asks you to sign in again, with more rights.';
/** The longest delay of a timer. A call has its own limits, which pause while the user is asked. */
const longestMs = 2 ** 31 - 1;
const timeLimit = { timeout: requestMs };

function capabilityNames(capabilities: unknown): readonly string[] {
  if (!isObject(capabilities)) return [];
  const names = Object.entries(capabilities).flatMap(([name, value]) => {
    const within = isObject(value) ? Object.keys(value).filter((key) => value[key] === true) : [];
    return [name, ...within.map((key) => `${name}.${key}`)];
  });
  return names.slice(0, maxCapabilities).map((name) => name.slice(0, maxName));
}
