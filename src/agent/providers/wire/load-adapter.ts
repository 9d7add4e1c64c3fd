/** Loads the adapter of each kind of provider at its first use. */

import type { HttpKind } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';

const loaded = new Map<HttpKind, Promise<Adapter>>();

/** Imports an adapter again only after a failure: `import()` costs several tasks, even for a loaded module. */
export function loadAdapter(kind: HttpKind): Promise<Adapter> {
  const known = loaded.get(kind);
  if (known !== undefined) return known;
  const loading = importAdapter(kind);
  loaded.set(kind, loading);
  loading.catch(() => loaded.delete(kind));
  return loading;
}

async function importAdapter(kind: HttpKind): Promise<Adapter> {
  await import('./without-eval.ts');
  switch (kind) {
    case 'openai-chat':
      return (await import('./openai.ts')).chat;
    case 'openai-responses':
      return (await import('./openai.ts')).responses;
    case 'openai-compatible':
      return (await import('./openai-compatible.ts')).adapter;
    case 'anthropic':
      return (await import('./anthropic.ts')).adapter;
    case 'google':
      return (await import('./google.ts')).adapter;
  }
}
