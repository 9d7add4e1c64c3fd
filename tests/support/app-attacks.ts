/** What a hostile app tries. Each runs in its frame, or as a control in a page where it succeeds. */

import type { Frame, Page } from '@playwright/test';
import { expect } from './expect.ts';

/** An app that does nothing but say hello, so that a test can act in its place. */
export const quietApp = `<!doctype html><title>Quiet</title><p>The app is here</p><button>Inside</button><script>
var heard = [];
addEventListener('message', ({ source, data }) => { if (source === parent) heard.push(data); });
const tell = (method, params = {}, id) => parent.postMessage({ jsonrpc: '2.0', method, params, id }, '*');
tell('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'quiet', version: '1' }, appCapabilities: {} }, 0);
tell('ui/notifications/initialized');
</script>`;

/** A tool with this app, another beside it, and one that requires approval. */
export const quietTools = `
def show(value: int = 1):
    return {"doubled": value * 2}

def beside(text: str = ""):
    return f"beside says {text}"

TOOL_SPECS = [
    {"name": "quiet:show", "description": "Shows.", "handler": show, "app": "quiet.html",
     "parameters": {"type": "object", "properties": {"value": {"type": "integer"}}}},
    {"name": "quiet:beside", "description": "Is beside.", "handler": beside,
     "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}},
    {"name": "quiet:careful", "description": "Is careful.", "handler": beside, "requires_approval": True,
     "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}},
]
`;

/** The frame in which the app runs, once it has said hello. */
export async function appFrame(page: Page): Promise<Frame> {
  const shown = page.frameLocator('iframe[title^="Frame of"]').frameLocator('iframe');
  await expect(shown.getByText('The app is here')).toBeVisible();
  const app = page.frames().find((one) => one.parentFrame()?.url().includes('/mcp-app.html?'));
  if (app === undefined) throw new Error('The app has no frame.');
  return app;
}

/** Sends a message as the app would. */
export function tellFrom(app: Frame, message: Record<string, unknown>): Promise<void> {
  return app.evaluate((data) => parent.postMessage({ jsonrpc: '2.0', ...data }, '*'), message);
}

/** @returns which of these the frame got */
export async function reachHere(): Promise<string[]> {
  const tries: Record<string, () => unknown> = {
    indexedDB: () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('cloche:/');
        opening.onsuccess = resolve;
        opening.onerror = () => reject(new Error('refused'));
      }),
    localStorage: () => localStorage.length,
    sessionStorage: () => sessionStorage.length,
    caches: () => caches.keys(),
    files: () => navigator.storage.getDirectory(),
    cookie: () => {
      document.cookie = 'a=b';
      if (!document.cookie.includes('a=b')) throw new Error('refused');
    },
    worker: () => navigator.serviceWorker.getRegistrations(),
    parent: () => parent.document.body.tagName,
    top: () => (top ?? self).document.body.tagName,
  };
  const got: string[] = [];
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      const late = new Promise<'late'>((resolve) => setTimeout(resolve, 3_000, 'late'));
      if ((await Promise.race([attempt(), late])) !== 'late') got.push(name);
    } catch {
      // Refused.
    }
  }
  return got;
}

/** Sends requests in all ways that a page has; the witness says which arrived. */
export async function sendHere(target: string): Promise<void> {
  const element = (name: string, given: Record<string, string>): void => {
    const made = Object.assign(document.createElement(name), given);
    document.body.append(made);
  };
  const tries: (() => unknown)[] = [
    () => fetch(`${target}/fetch`, { mode: 'no-cors' }),
    () => navigator.sendBeacon(`${target}/beacon`, 'x'),
    () => {
      const request = new XMLHttpRequest();
      request.open('GET', `${target}/xhr`);
      request.send();
    },
    () => new EventSource(`${target}/events`),
    () => new WebSocket(`${target.replace('http', 'ws')}/socket`),
    () => element('img', { src: `${target}/img` }),
    () => element('script', { src: `${target}/script` }),
    () => element('link', { rel: 'stylesheet', href: `${target}/style` }),
    () => element('link', { rel: 'prefetch', href: `${target}/prefetch` }),
    () => element('iframe', { src: `${target}/iframe` }),
    () => element('object', { data: `${target}/object` }),
    () => element('video', { src: `${target}/video` }),
    () => import(`${target}/import`),
    () => {
      const code = `fetch('${target}/worker', { mode: 'no-cors' })`;
      return new Worker(URL.createObjectURL(new Blob([code])));
    },
    () => {
      const form = document.createElement('form');
      Object.assign(form, { action: `${target}/form`, method: 'post', target: 'x' });
      document.body.append(form);
      form.submit();
    },
    () => open(`${target}/popup`, '_blank'),
    () => new RTCPeerConnection(),
  ];
  for (const attempt of tries) {
    try {
      await Promise.race([attempt(), new Promise((wake) => setTimeout(wake, 200))]);
    } catch {
      // Refused.
    }
  }
  // Some begin late.
  await new Promise((wake) => setTimeout(wake, 500));
}
