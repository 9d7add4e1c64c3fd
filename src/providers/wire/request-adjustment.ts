/** Changes to a request for servers that accept less, or want more, than the maker of the model. */

export type RequestAdjustment =
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
