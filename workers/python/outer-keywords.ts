/** Keywords whose errors only repeat that an inner schema has an error. */
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
