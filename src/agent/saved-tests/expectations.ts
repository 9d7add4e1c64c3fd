/** Proposes what a test may expect, from how a call ended. */

import { parseJson } from '../../runtime/spec/guards.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import { nodesIn, rootNode, type JsonNode } from '../../runtime/spec/json-tokens.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { TestResult } from '../../runtime/spec/saved-test.ts';
import { jsonValue } from './judged-outcome.ts';

export type ExpectationKind = 'equals' | 'includes' | 'schema' | 'error' | 'expression' | 'success';

export interface Proposal {
  readonly kind: ExpectationKind;
  /** Null: the call only has to succeed. */
  readonly expect: JsonText | null;
}

/** Longer values are not proposed; characters. */
const maxChars = 20_000;
const maxMembers = 100;
const maxLevels = 8;

/**
 * Returns the expectations that a test may have of this result; the first is the most likely one.
 */
export function proposeExpectations(result: ToolResult): readonly Proposal[] {
  if (result.resultType === 'failure')
    return [
      { kind: 'error', expect: objectWith('error', JSON.stringify(errorType(result.error ?? ''))) },
    ];
  const value = jsonValue(result) ?? JSON.stringify(result.textResultForLlm);
  // Python writes NaN and infinities, which are not JSON.
  const isJson = value.length <= maxChars && parseJson(value) !== undefined;
  const node = isJson ? rootNode(value) : null;
  return [
    ...(isJson
      ? ([
          { kind: 'equals', expect: objectWith('equals', value) },
          { kind: 'includes', expect: objectWith('includes', value) },
        ] as const)
      : []),
    ...(node === null
      ? []
      : ([{ kind: 'schema', expect: objectWith('schema', schemaOf(value, node)) }] as const)),
    {
      kind: 'expression',
      expect: objectWith('expression', JSON.stringify(expressionOf(value, node))),
    },
    { kind: 'success', expect: null },
  ];
}

/**
 * Returns an expectation that this result of a test meets: `error` for a failure, and otherwise `includes` or `schema` if the
 * test has it without `equals`, and `equals` if not, also instead of an expression. Null if the value is too long or not JSON.
 */
export function updateExpect(expect: JsonText | null, result: TestResult): JsonText | null {
  if (result.resultType === 'failure')
    return objectWith('error', JSON.stringify(errorType(result.text)));
  const value = result.isJson ? result.text : JSON.stringify(result.text);
  if (parseJson(value) === undefined || value.length > maxChars) return null;
  const members = new Map(
    expect === null
      ? []
      : nodesIn(expect, rootNode(expect), 20).nodes.map((node) => [node.key, node]),
  );
  const part = members.get('includes');
  if (expect !== null && part !== undefined && !members.has('equals'))
    return objectWith('includes', partLike(expect, part, value, rootNode(value)));
  if (members.has('schema') && !members.has('equals'))
    return objectWith('schema', schemaOf(value, rootNode(value)));
  return objectWith('equals', value);
}

/** `ValueError` of `ValueError: no`. */
function errorType(error: string): string {
  return /^[\w.]+(?=:|$)/.exec(error)?.[0] ?? error;
}

function objectWith(key: string, value: JsonText): JsonText {
  return `{ "${key}": ${value.trim()} }`;
}

/** The members of `value` that `part` has too, with their values of now. */
function partLike(expect: string, part: JsonNode, value: string, node: JsonNode): string {
  if (part.kind !== 'object' || node.kind !== 'object') return value.slice(node.start, node.end);
  const named = new Map(nodesIn(value, node, Infinity).nodes.map((one) => [one.key, one]));
  const kept = nodesIn(expect, part, Infinity).nodes.flatMap((one) => {
    const found = named.get(one.key);
    return found === undefined
      ? []
      : [`${JSON.stringify(one.key)}: ${partLike(expect, one, value, found)}`];
  });
  return kept.length === 0 ? '{}' : `{ ${kept.join(', ')} }`;
}

/** A JSON Schema of the value: its types and the names of its members. */
function schemaOf(text: string, node: JsonNode, level = 0): JsonText {
  const childNodes = (): readonly JsonNode[] => nodesIn(text, node, maxMembers).nodes;
  switch (node.kind) {
    case 'object': {
      if (level === maxLevels) return '{ "type": "object" }';
      const members = childNodes().map((one) => [
        JSON.stringify(one.key),
        schemaOf(text, one, level + 1),
      ]);
      const names = members.map(([key]) => key).join(', ');
      const each = members.map((member) => member.join(': ')).join(', ');
      return `{ "type": "object", "required": [${names}], "properties": { ${each} } }`;
    }
    case 'array': {
      const kinds = new Set(
        level === maxLevels ? [] : childNodes().map((one) => schemaOf(text, one, level + 1)),
      );
      const [only] = kinds;
      return kinds.size === 1 && only !== undefined
        ? `{ "type": "array", "items": ${only} }`
        : '{ "type": "array" }';
    }
    case 'string':
      return '{ "type": "string" }';
    case 'number':
      return /[.eE]/.test(text.slice(node.start, node.end))
        ? '{ "type": "number" }'
        : '{ "type": "integer" }';
    case 'word':
      return text.slice(node.start, node.end) === 'null'
        ? '{ "type": "null" }'
        : '{ "type": "boolean" }';
  }
}

/** A Python expression to begin with. */
function expressionOf(value: string, node: JsonNode | null): string {
  if (node?.kind === 'object') {
    const [first] = nodesIn(value, node, 1).nodes;
    const isSimple = first?.kind === 'number' || first?.kind === 'string';
    if (first !== undefined && isSimple) {
      const token = value.slice(first.start, first.end);
      // JSON's escapes of characters beyond the basic plane mean something else in Python.
      const literal = first.kind === 'string' ? JSON.stringify(JSON.parse(token)) : token;
      return `result[${JSON.stringify(first.key)}] == ${literal}`;
    }
  }
  if (node?.kind === 'array' || node?.kind === 'object') return 'len(result) > 0';
  if (node?.kind === 'number') return `result == ${value.slice(node.start, node.end)}`;
  return "text != ''";
}
