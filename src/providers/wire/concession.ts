/** What a request can do without, or do besides, for those who serve a model otherwise than its maker. */

export type Concession =
  | 'no-thinking'
  | 'no-summary'
  | 'no-tool-streaming'
  /** Nothing but a list of parameters outermost. */
  | 'plain-schemas'
  | 'shallow-schemas'
  /** With every answer, whatever turn it was in. */
  | 'all-reasoning'
  | 'no-reasoning'
  /** Between the answers to calls and a person's words. */
  | 'assistant-between';
