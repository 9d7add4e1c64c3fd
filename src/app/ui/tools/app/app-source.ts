/** Where an app comes from: a file of the tools folder, or a resource of the tool's server. */

import type { ResourceContent } from '../../../../runtime/protocol/mcp.ts';
import { fromBase64, utf8Text } from '../../../../runtime/spec/bytes.ts';
import { ToolError } from '../../../../runtime/spec/error.ts';
import { asObject, asFields, parseJson, stringsIn } from '../../../../runtime/spec/guards.ts';
import type { JsonObject } from '../../../../runtime/spec/json.ts';
import type { RegisteredTool, ToolApp } from '../../../../runtime/spec/tool.ts';

interface AppSource extends Pick<ToolApp, 'connectDomains' | 'resourceDomains'> {
  readonly html: string;
}

interface AppSourceDeps {
  /** The text of a file of the folder. */
  readonly file: (path: string) => string | undefined;
  readonly resource: (server: string, uri: string) => Promise<readonly ResourceContent[]>;
}

const maxOrigins = 20;

/** @throws {ToolError} if there is no such app */
export async function appSource(
  { app, server }: Pick<RegisteredTool, 'app' | 'server'>,
  { file, resource }: AppSourceDeps,
): Promise<AppSource> {
  if (app === undefined) throw new ToolError('not-found', 'The tool has no app.');
  if (server === undefined) {
    const html = file(app.file);
    if (html !== undefined) return { ...app, html };
    throw new ToolError('not-found', `The file ${app.file} is not in the open folder.`);
  }
  const [content] = await resource(server.id, app.file);
  const html = content === undefined ? '' : content.text || decodeBlob(content.blob);
  if (content === undefined || !content.mimeType.startsWith('text/html') || html === '')
    throw new ToolError('not-found', `The server’s resource ${app.file} is not an HTML page.`);
  const { csp } = asFields(asFields(parseJson(content.meta)).ui);
  const { connectDomains, resourceDomains } = asFields(csp);
  return {
    html,
    connectDomains: stringsIn(connectDomains).slice(0, maxOrigins),
    resourceDomains: stringsIn(resourceDomains).slice(0, maxOrigins),
  };
}

/** A resource as MCP has it, for the app. */
export function resourceResult(contents: readonly ResourceContent[]): JsonObject {
  return {
    contents: contents.map(({ uri, mimeType, text, blob, meta }) => ({
      uri,
      ...(mimeType === '' ? {} : { mimeType }),
      ...(blob === '' ? { text } : { blob }),
      _meta: asObject(parseJson(meta)),
    })),
  };
}

/** Returns an empty text for what is no base64 of UTF-8. */
function decodeBlob(blob: string): string {
  const bytes = fromBase64(blob);
  return (bytes && utf8Text(bytes)) ?? '';
}
