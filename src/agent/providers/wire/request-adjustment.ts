/** Changes to a request for servers that accept less, or want more, than the maker of the model. */

export type RequestAdjustment =
  | 'no-thinking'
  | 'no-summary'
  | 'no-tool-streaming'
  /** Parameters without combining keywords (`oneOf` and the like) at the top level. */
  | 'plain-schemas'
  | 'shallow-schemas'
  /** Examples of arguments in the description instead of in their own field. */
  | 'examples-as-text'
  /** Descriptions without examples and the schemas of results. */
  | 'short-descriptions'
  | 'no-seed'
  /** Send reasoning with every answer, not only within its turn. */
  | 'all-reasoning'
  | 'no-reasoning'
  /** Insert an assistant message between a tool's answer and the user's next message. */
  | 'assistant-between';
