/** Keywords whose error only says that something inside is wrong, which has an error of its own. */
export const outerKeywords: ReadonlySet<string> = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'anyOf',
  'if',
  'propertyNames',
  'dependentSchemas',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'prefixItems',
  'items',
  'additionalItems',
  'unevaluatedItems',
]);
