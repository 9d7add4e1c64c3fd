/** Finds out why a provider gave no answer that this page may read: browsers do not tell. */

import type { ProviderAccess } from '../../protocol/models.ts';
import type { ModelNetwork } from './model-network.ts';
import { ModelError } from '../../spec/model-error.ts';
import { accessHeaders, sentHeaders } from './access.ts';
import { canBeAllowed, isLocal, isLoopback } from './local-host.ts';

/** How long it may take; milliseconds. */
const probeMs = 5_000;

export async function unreachable(
  signal: AbortSignal,
  access: ProviderAccess,
  network: ModelNetwork,
): Promise<ModelError> {
  const { name, baseUrl } = access;
  const { origin, protocol, hostname } = new URL(baseUrl);
  const mixed =
    protocol === 'http:' && network.pageOrigin.startsWith('https:') && !isLoopback(hostname);
  if (mixed && !canBeAllowed(hostname))
    return new ModelError(
      'network',
      `${name} is at ${origin}, which this page may not ask: it was loaded over https, and browsers keep such pages from http addresses like this one.`,
      mixedHint,
    );
  const local = isLocal(hostname);
  if (!local && !network.online())
    return new ModelError(
      'network',
      `${name} could not be reached: this computer is offline.`,
      'Connect to the network and try again. A model on this computer, or a recording, works offline.',
    );
  const probe = AbortSignal.any([signal, AbortSignal.timeout(probeMs)]);
  if (await network.answers(probe, `${baseUrl}/models`)) {
    // A gateway that fails often forgets to let pages read that; then something else can be read.
    if (await readable(probe, access, network))
      return new ModelError(
        'network',
        `${name} broke off before it answered, or did not let this page read what went wrong.`,
        'Try again in a moment.',
      );
    return new ModelError(
      'cors',
      `${name} answers at ${origin}, but does not let pages of ${network.pageOrigin} read its answers.`,
      corsHint(baseUrl, network.pageOrigin),
    );
  }
  if (mixed)
    return new ModelError(
      'network',
      `${name} could not be reached: nothing answers this page at ${origin}. A page that was loaded over https may ask an http address of your network only in browsers based on Chromium, and once you have allowed it.`,
      `Start the server there, and check the port.${permissionHint} In other browsers: ${mixedHint}`,
    );
  return new ModelError(
    'network',
    `${name} could not be reached: nothing answers at ${origin}.`,
    local ? localHint(network.pageOrigin, hostname) : remoteHint,
  );
}

async function readable(
  signal: AbortSignal,
  access: ProviderAccess,
  network: ModelNetwork,
): Promise<boolean> {
  const headers = sentHeaders(accessHeaders(access));
  const request = { url: `${access.baseUrl}/models`, method: 'GET', headers, body: null };
  try {
    const response = await network.send(signal, request);
    await response.body?.cancel();
    return true;
  } catch {
    // Which is what was asked.
    return false;
  }
}

const remoteHint =
  'Check the address and the network; an extension that blocks requests, or a proxy, may be in the way.';

/** From http pages of other addresses than localhost, browsers withhold what Cloche is built on. */
const mixedHint =
  'Give the server a certificate and use https; or serve Cloche on this computer and open it at http://localhost, from where http addresses may be asked.';

const permissionHint =
  ' Where the browser asks whether this page may reach your local network, allow it; if that was denied before, change it in the site’s settings (Local network access).';

function localHint(pageOrigin: string, host: string): string {
  const page = isLocal(new URL(pageOrigin).hostname) ? '' : permissionHint;
  const safari =
    isLoopback(host) && pageOrigin.startsWith('https:')
      ? ' Safari allows it to no page that was loaded over https.'
      : '';
  return `Start the server there, and check the port.${page}${safari}`;
}

/** What has to be done where, by the ports that servers use unless told otherwise. */
function corsHint(baseUrl: string, pageOrigin: string): string {
  const { port, hostname } = new URL(baseUrl);
  if (!isLocal(hostname))
    return 'This provider may not be meant for use from a browser, or wants the address allowed in its settings; OpenRouter offers most models to pages.';
  if (port === '11434') return `Start it with OLLAMA_ORIGINS=${pageOrigin} ollama serve`;
  if (port === '1234') return 'In LM Studio, turn on “Enable CORS” in the server’s settings.';
  if (port === '8000') return `Start vLLM with --allowed-origins '["${pageOrigin}"]'`;
  return `Let the server send Access-Control-Allow-Origin: ${pageOrigin}. Ollama: OLLAMA_ORIGINS=${pageOrigin}; LM Studio: “Enable CORS”; llama.cpp: --cors-origins ${pageOrigin}; vLLM: --allowed-origins '["${pageOrigin}"]'.`;
}
