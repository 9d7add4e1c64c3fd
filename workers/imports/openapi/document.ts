/** Reads what all versions of OpenAPI share: the operations of a document, its servers and its security schemes. */

import type { ImportServer } from '../../../src/runtime/protocol/imports.ts';
import { asFields, isRecord, stringsIn, type Fields } from '../../../src/runtime/spec/guards.ts';
import { asList } from '../../../src/runtime/spec/lenient.ts';
import { cut, plainText } from '../python-text.ts';
import { resolveReference } from './references.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
/** Operations beyond these are left out. */
export const maxOperations = 10_000;
const maxParameters = 300;
const maxServers = 50;

export interface ApiDocument {
  readonly root: Fields;
  /** The version of OpenAPI, such as `3.0.3` or `2.0`. */
  readonly version: string;
  readonly isSwagger: boolean;
  readonly operations: readonly Operation[];
  /** The number of operations, with those that are left out. */
  readonly count: number;
  /** The number of paths that refer to what the document does not have. */
  readonly missingPaths: number;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly fields: Fields;
  /** Parameters with their references resolved. Those of the path that the operation does not replace come first. */
  readonly parameters: readonly Fields[];
  /** Number of parameters that were not found. */
  readonly missing: number;
  /** Servers of the operation or its path; undefined if the document’s apply. */
  readonly servers: unknown;
}

/** Returns null if the value is no OpenAPI document. */
export function apiDocument(root: unknown): ApiDocument | null {
  if (!isRecord(root) || !isRecord(root.paths)) return null;
  const version = versionOf(root.openapi ?? root.swagger);
  if (version === '') return null;
  const operations: Operation[] = [];
  let count = 0;
  let missingPaths = 0;
  for (const [path, given] of Object.entries(root.paths)) {
    const item = path.startsWith('/') ? resolveReference(root, given) : null;
    if (item === null) {
      if (path.startsWith('/') && isRecord(given)) missingPaths += 1;
      continue;
    }
    for (const method of methods) {
      const own = item[method];
      if (!isRecord(own)) continue;
      count += 1;
      if (count <= maxOperations) operations.push(operation(root, path, method, item, own));
    }
  }
  return { root, version, isSwagger: 'swagger' in root, operations, count, missingPaths };
}

function versionOf(value: unknown): string {
  const written = typeof value === 'number' ? value.toFixed(1) : plainText(value);
  return /^(2\.0|3\.\d)/.test(written) ? written.slice(0, 20) : '';
}

/** Reads one operation, with the parameters of its path. */
function operation(
  root: Fields,
  path: string,
  method: string,
  item: Fields,
  own: Fields,
): Operation {
  const found = new Map<string, Fields>();
  let missing = 0;
  for (const list of [item.parameters, own.parameters])
    for (const given of Array.isArray(list) ? list.slice(0, maxParameters) : []) {
      const parameter = resolveReference(root, given);
      const { name, in: place } = parameter ?? {};
      if (parameter === null || typeof name !== 'string' || typeof place !== 'string') missing += 1;
      else found.set(`${place} ${name}`, parameter);
    }
  return {
    method: method.toUpperCase(),
    path,
    fields: own,
    parameters: [...found.values()].slice(0, maxParameters),
    missing,
    servers: own.servers ?? item.servers,
  };
}

/** The servers of a document. @param address of the document, against which relative ones are resolved */
export function serversOf({ root, isSwagger }: ApiDocument, address: string): ImportServer[] {
  const given = isSwagger ? swaggerServers(root) : root.servers;
  const servers = serverList(given, address);
  return servers.length > 0 ? servers : serverList([{ url: '/' }], address);
}

/** Reads a list of servers. @param address of the document, against which relative ones are resolved */
export function serverList(given: unknown, address: string): ImportServer[] {
  const list: unknown[] = Array.isArray(given) ? given.slice(0, maxServers) : [];
  return list.filter(isRecord).flatMap(({ url, description, variables }) => {
    if (typeof url !== 'string') return [];
    return [
      {
        url: absolute(url.trim().slice(0, 1_000), address),
        description: cut(description, 200),
        variables: Object.entries(asFields(variables))
          .filter(([name]) => name.length <= 100)
          .slice(0, 20)
          .map(([name, variable]) => ({
            name,
            value: plainText(asFields(variable).default).slice(0, 500),
            choices: asList(asFields(variable).enum)
              .slice(0, 200)
              .map((choice) => plainText(choice).slice(0, 500)),
            description: cut(asFields(variable).description, 300),
          })),
      },
    ];
  });
}

/** A relative address stays as it is if the document has no address. */
function absolute(url: string, address: string): string {
  if (/^(https?:)?\/\/|^\{/i.test(url)) return url.startsWith('//') ? `https:${url}` : url;
  try {
    // The braces of variables stay.
    const whole = new URL(url, address).href.replaceAll('%7B', '{').replaceAll('%7D', '}');
    return /^https?:/.test(whole) ? whole : url;
  } catch {
    return url;
  }
}

/** The server of a document of Swagger 2, in the form of OpenAPI 3. */
function swaggerServers({ host, basePath, schemes }: Fields): Fields[] {
  const path = plainText(basePath) === '' ? '/' : plainText(basePath);
  const named = stringsIn(schemes).filter((scheme) => /^https?$/.test(scheme));
  const scheme = named.includes('http') && !named.includes('https') ? 'http' : 'https';
  const url =
    plainText(host) === '' ? path : `${scheme}://${plainText(host)}/${path.replace(/^\/+/, '')}`;
  return [{ url }];
}

/** The ways to sign in that the document describes, by name. */
export function securitySchemes({ root, isSwagger }: ApiDocument): Fields {
  return asFields(isSwagger ? root.securityDefinitions : asFields(root.components).securitySchemes);
}
