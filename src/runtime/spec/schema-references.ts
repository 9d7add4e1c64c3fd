/** Finds the schemas to which the references inside a JSON Schema lead, by the rules of its draft. */

import { isObject } from './guards.ts';
import type { JsonObject } from './json.ts';
import {
  decodePercent,
  pointerKeys,
  schemaDraft,
  schemaId,
  valueAt,
  type SchemaNode,
} from './schema-walk.ts';

/**
 * Reasons why a reference has no schema: `unresolved` leads nowhere, `remote` leads out of the document, and the target
 * of a `dynamic` reference depends on the path that leads to it.
 */
export type NoTarget = 'unresolved' | 'remote' | 'dynamic';

export interface Reference {
  readonly keyword: '$ref' | '$dynamicRef' | '$recursiveRef';
  readonly reference: string;
  readonly target: JsonObject | boolean | NoTarget;
}

export function hasReference({ $ref, $dynamicRef, $recursiveRef }: JsonObject): boolean {
  return [$ref, $dynamicRef, $recursiveRef].some((reference) => typeof reference === 'string');
}

export class SchemaReferences {
  /** The schemas by their addresses, and by address and anchor. */
  readonly #places = new Map<string, JsonObject>();
  /** Dynamic anchors → the addresses of the resources that have them. */
  readonly #dynamic = new Map<string, Map<string, JsonObject>>();
  readonly #keywords: readonly Reference['keyword'][];
  readonly #draft;
  #rootBase = '';

  constructor(root: JsonObject) {
    this.#draft = schemaDraft(root);
    const keywords = {
      4: [],
      6: [],
      7: [],
      2019: ['$recursiveRef'],
      2020: ['$dynamicRef'],
      any: ['$dynamicRef', '$recursiveRef'],
    } as const;
    this.#keywords = ['$ref', ...keywords[this.#draft ?? 'any']];
  }

  /**
   * Registers a schema under its address and its anchors. All schemas must be added before the first call of `of`, the
   * root first.
   */
  add({ schema, path, base }: SchemaNode): void {
    const id = schemaId(schema, this.#draft);
    const isAnchor = id?.startsWith('#') === true;
    const isResource = path.length === 0 || (id !== undefined && !isAnchor);
    if (path.length === 0) this.#rootBase = base;
    if (isResource && !this.#places.has(base)) this.#places.set(base, schema);
    // Up to draft 7, an id that is a fragment is an anchor.
    const anchors = [schema.$anchor, schema.$dynamicAnchor, isAnchor ? id.slice(1) : undefined];
    for (const anchor of anchors)
      if (typeof anchor === 'string') this.#places.set(`${base}#${anchor}`, schema);
    if (typeof schema.$dynamicAnchor === 'string')
      this.#addDynamic(schema.$dynamicAnchor, base, schema);
    if (isResource && schema.$recursiveAnchor === true) this.#addDynamic('', base, schema);
  }

  /** The references of one schema, without those of its subschemas. */
  of({ schema, base }: Pick<SchemaNode, 'schema' | 'base'>): Reference[] {
    return this.#keywords.flatMap((keyword) => {
      const reference = schema[keyword];
      if (typeof reference !== 'string') return [];
      return [{ keyword, reference, target: this.#target(keyword, reference, base) }];
    });
  }

  #addDynamic(anchor: string, base: string, schema: JsonObject): void {
    const owners = this.#dynamic.get(anchor) ?? new Map<string, JsonObject>();
    this.#dynamic.set(anchor, owners);
    if (!owners.has(base)) owners.set(base, schema);
  }

  #target(keyword: Reference['keyword'], reference: string, base: string): Reference['target'] {
    const url = URL.parse(reference, base);
    const fragment = decodePercent(url?.hash.slice(1) ?? '');
    if (url === null || fragment === undefined) return 'unresolved';
    const address = url.href.replace(/#.*$/s, '');
    const resource = this.#places.get(address);
    if (resource === undefined) return reference.startsWith('#') ? 'unresolved' : 'remote';
    if (keyword !== '$ref') {
      const owners = this.#dynamic.get(fragment);
      const owner = owners?.get(address);
      // The outermost resource decides, which is always the root. With one resource there is no choice.
      if (owners !== undefined && owner !== undefined)
        return owners.get(this.#rootBase) ?? (owners.size > 1 ? 'dynamic' : owner);
    }
    // @mutant a reference by name is not one to the whole schema => fragment === '' -> !fragment.startsWith('/')
    //   [workers/python/check-references.test.ts]
    if (fragment === '') return resource;
    if (!fragment.startsWith('/'))
      return this.#places.get(`${address}#${fragment}`) ?? 'unresolved';
    const target = valueAt(resource, pointerKeys(fragment));
    return typeof target === 'boolean' || isObject(target) ? target : 'unresolved';
  }
}
