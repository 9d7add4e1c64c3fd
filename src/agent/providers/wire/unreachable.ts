/** Diagnoses why a provider gave no response that this page may read; browsers do not say. */

import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import type { ModelNetwork } from './model-network.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import { accessHeaders, filterHeaders } from './access.ts';
import { canAskForLocalAccess, isLocal, isLoopback } from './local-host.ts';

/** Limit in milliseconds for the diagnosis. */
const probeMs = 5_000;

export async function unreachableError(
  signal: AbortSignal,
  access: ProviderAccess,
  network: ModelNetwork,
): Promise<ModelError> {
  const { name, baseUrl } = access;
  const { origin, protocol, hostname } = new URL(baseUrl);
  const mixed =
    protocol === 'http:' && network.pageOrigin.startsWith('https:') && !isLoopback(hostname);
  if (mixed && !canAskForLocalAccess(hostname))
    return new ModelError(
      'network',
      `${name} is at ${origin}, which this page cannot reach: it was loaded over https, and browsers block requests from such pages to http addresses like this one.`,
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
  const answer = await canReadModels(probe, access, network);
  if (answer instanceof ModelError) return answer;
  // Gateways often omit CORS headers on errors. Another response may then be readable.
  if (answer)
    return new ModelError(
      'network',
      `${name} closed the connection before it answered, or did not allow this page to read the error.`,
      'Try again in a moment.',
    );
  // Only a request that follows redirects could tell the two causes apart, and requests to providers follow none.
  const causesText = (silent: string): string =>
    `${name} could not be reached: ${silent} at ${origin}, or it does not allow pages of ${network.pageOrigin} to read its answers.`;
  const allow = `If it is running, allow this page. ${corsHint(baseUrl, network.pageOrigin)}`;
  if (mixed)
    return new ModelError(
      'network',
      `${causesText('nothing answers this page')} A page loaded over https can reach an http address on your network only in browsers based on Chromium, and only after you allow it.`,
      `Start the server there, and check the port. ${allow}${permissionHint} In other browsers: ${mixedHint}`,
    );
  return new ModelError(
    'network',
    causesText('nothing answers'),
    local
      ? `${localHint(network.pageOrigin, hostname)} ${allow}`
      : `${remoteHint} ${corsHint(baseUrl, network.pageOrigin)}`,
  );
}

/** Returns whether another response can be read. Returns the error if that response is a redirect. */
async function canReadModels(
  signal: AbortSignal,
  access: ProviderAccess,
  network: ModelNetwork,
): Promise<boolean | ModelError> {
  const headers = filterHeaders(accessHeaders(access));
  const request = { url: `${access.baseUrl}/models`, method: 'GET', headers, body: null };
  try {
    const response = await network.send(signal, request);
    await response.body?.cancel();
    return true;
  } catch (thrown) {
    return thrown instanceof ModelError ? thrown : false;
  }
}

const remoteHint =
  'Check the address and your network. A blocking extension or a proxy may be the cause.';

/** On http pages of other hosts than localhost, browsers disable features that Cloche requires. */
const mixedHint =
  'Use https with a certificate for the server, or serve Cloche on this computer and open it at http://localhost, which can reach http addresses.';

const permissionHint =
  ' If the browser asks whether this page may access your local network, allow it. If you denied it before, change it in the site settings (Local network access).';

function localHint(pageOrigin: string, host: string): string {
  const page = isLocal(new URL(pageOrigin).hostname) ? '' : permissionHint;
  const safari =
    isLoopback(host) && pageOrigin.startsWith('https:')
      ? ' Safari does not allow it for pages loaded over https.'
      : '';
  return `Start the server there, and check the port.${page}${safari}`;
}

/** Explains how to allow this page, recognising common servers by their default ports. */
function corsHint(baseUrl: string, pageOrigin: string): string {
  const { port, hostname } = new URL(baseUrl);
  if (!isLocal(hostname))
    return 'This provider may not support browsers, or may require this address in its settings. OpenRouter offers most models to web pages.';
  if (port === '11434') return `Start it with OLLAMA_ORIGINS=${pageOrigin} ollama serve.`;
  if (port === '1234') return 'In LM Studio, turn on “Enable CORS” in the server’s settings.';
  if (port === '8000') return `Start vLLM with --allowed-origins '["${pageOrigin}"]'.`;
  return `Configure the server to send Access-Control-Allow-Origin: ${pageOrigin}. Ollama: OLLAMA_ORIGINS=${pageOrigin}; LM Studio: “Enable CORS”; llama.cpp: --cors-origins ${pageOrigin}; vLLM: --allowed-origins '["${pageOrigin}"]'.`;
}
