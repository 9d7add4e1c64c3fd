/**
 * Lint rule: every request must say that it follows no redirect. The rule reads types, so it finds `fetch` under any
 * name, and functions that pass on the arguments of `fetch`.
 */

/** @typedef {{ program: import('typescript').Program, esTreeNodeToTSNodeMap: WeakMap<object, import('typescript').Node> }} Services */

const refused = new Set(['error', 'manual']);

/** @type {import('eslint').Rule.RuleModule} */
export const noRedirects = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      follows:
        "Say `redirect: 'error'`, or `redirect: 'manual'` and handle the answer: a redirect leads where nobody has allowed a request to go.",
    },
  },
  create(context) {
    const services = /** @type {unknown} */ (context.sourceCode.parserServices);
    const { program, esTreeNodeToTSNodeMap: nodes } = /** @type {Services} */ (services);
    const checker = program.getTypeChecker();

    /**
     * Whether the property `redirect` exists, and has no other value than an allowed string.
     *
     * @param {import('typescript').Type} type
     */
    function refusesRedirects(type) {
      const redirect = type.getProperty('redirect');
      if (redirect === undefined) return false;
      const value = checker.getTypeOfSymbol(redirect);
      const values = value.isUnion() ? value.types : [value];
      return values.every((each) => each.isStringLiteral() && refused.has(each.value));
    }

    /** @param {import('typescript').Node} argument */
    function isRequest(argument) {
      return checker.getTypeAtLocation(argument).getSymbol()?.name === 'Request';
    }

    /** @param {import('eslint').Rule.Node} node */
    function check(node) {
      const call =
        /** @type {import('typescript').CallExpression | import('typescript').NewExpression} */ (
          nodes.get(node)
        );
      const parameters = checker.getResolvedSignature(call)?.parameters ?? [];
      parameters.forEach((parameter, at) => {
        const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameter, call));
        // Only options of a request say whether it follows redirects; a request has been checked where it is made.
        if (type.getSymbol()?.name === 'Request' || type.getProperty('redirect') === undefined)
          return;
        const argument = call.arguments?.[at];
        const [first] = call.arguments ?? [];
        // A request of the page is passed on unchanged.
        if (argument === undefined && at === 1 && first !== undefined && isRequest(first)) return;
        if (argument === undefined || !refusesRedirects(checker.getTypeAtLocation(argument)))
          context.report({ node, messageId: 'follows' });
      });
    }

    return { CallExpression: check, NewExpression: check };
  },
};
