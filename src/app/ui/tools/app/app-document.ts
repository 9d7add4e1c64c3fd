/** The document of an app's frame: its HTML behind a policy that allows only what the user has granted. */

import { isPlainOrigin } from '../../../../runtime/protocol/app-frame.ts';
import { requestTarget, type RequestTarget } from '../../../../runtime/grants/request-parts.ts';
import type { ToolApp } from '../../../../runtime/spec/tool.ts';

export interface AppOrigins {
  readonly policy: string;
  /** Declared origins that the user has granted. */
  readonly allowed: readonly string[];
  /** Declared origins that the policy leaves out, because the user has not granted them. */
  readonly refused: readonly string[];
}

/** @param mayReach whether the user has granted an origin */
export function appPolicy(
  { connectDomains, resourceDomains }: Pick<ToolApp, 'connectDomains' | 'resourceDomains'>,
  mayReach: (target: RequestTarget) => boolean,
  appOrigin: string,
): AppOrigins {
  const allowed = new Set<string>();
  const refused = new Set<string>();
  const grantOrigins = (declared: readonly string[]): string =>
    declared
      .flatMap((one) => {
        const origin = originOf(one, appOrigin);
        // @mutant an app reaches only granted origins => origin !== null && mayReach(origin.target) -> origin !== null
        if (origin !== null && mayReach(origin.target)) {
          allowed.add(origin.own);
          return [origin.own];
        }
        refused.add(origin?.own ?? one);
        return [];
      })
      .join(' ');
  const files = grantOrigins(resourceDomains);
  const policy = [
    "default-src 'none'",
    `script-src 'unsafe-inline' 'unsafe-eval' blob: data: ${files}`,
    'worker-src blob:',
    `style-src 'unsafe-inline' blob: data: ${files}`,
    ...['img', 'font', 'media'].map((kind) => `${kind}-src blob: data: ${files}`),
    `connect-src blob: data: ${grantOrigins(connectDomains)}`,
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return {
    policy: policy.map((part) => part.trim()).join('; '),
    allowed: [...allowed],
    refused: [...refused],
  };
}

/** Returns null for what is not exactly an origin, or is Cloche's. A WebSocket needs the grant of its http origin. */
function originOf(
  declared: string,
  appOrigin: string,
): { own: string; target: RequestTarget } | null {
  const target = requestTarget(declared.replace(/^ws(?=s?:)/i, 'http'), appOrigin);
  if ('why' in target || target.url !== `${target.origin}/`) return null;
  // A host may have characters that mean something in a policy, or end the attribute that holds it.
  // @mutant an app's origins cannot change its policy => never
  if (!isPlainOrigin(target.origin)) return null;
  const source = /^ws/i.test(declared) ? target.origin.replace('http', 'ws') : target.origin;
  return { own: source, target };
}

/** WebRTC obeys no policy, and could send a few bytes anywhere. Frames that the app makes have it again. */
const prelude =
  "for(const name of ['RTCPeerConnection','webkitRTCPeerConnection'])delete globalThis[name];document.currentScript.remove()";

/** The policy comes before everything of the app's own, so that it holds for all of it. */
export function appDocument(html: string, { policy }: Pick<AppOrigins, 'policy'>): string {
  // @mutant an app has its own policy => without <meta http-equiv="Content-Security-Policy" content="${policy}">
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><script>${prelude}</script>${html}`;
}
