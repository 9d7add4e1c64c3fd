/**
 * Lint rule: a component reads its props and deriveds before it waits, not after, unless it first checks that it is still
 * shown. Once a component is gone, they are no longer updated, and Svelte warns of each read.
 */

/** @typedef {import('estree').Node & { parent: Node | null, range: [number, number] }} Node */

/** Functions whose callbacks run later. */
const later = new Set([
  'then',
  'catch',
  'finally',
  'setTimeout',
  'requestAnimationFrame',
  'queueMicrotask',
]);

/** A check whether the component still shows what it waited for. */
const checks = /\b(?:isGone|isOver|aborted)\b/;

/** @type {import('eslint').Rule.RuleModule} */
export const lateReads = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      late: '“{{name}}” is read after a wait, when the component may be gone. Read it into a constant before the wait.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    /** Awaits by the function that they are in. @type {Map<Node | null, Node[]>} */
    const awaits = new Map();
    /** @type {Map<string, Node[]>} */
    const fields = new Map();
    /** @type {Set<string>} */
    const derived = new Set();

    return {
      AwaitExpression(node) {
        const at = /** @type {Node} */ (node);
        const within = functionOf(at);
        awaits.set(within, [...(awaits.get(within) ?? []), at]);
      },
      PropertyDefinition(node) {
        if (node.value && isDerived(node.value)) derived.add(sourceCode.getText(node.key));
      },
      MemberExpression(node) {
        if (node.object.type !== 'ThisExpression') return;
        const name = sourceCode.getText(node.property);
        fields.set(name, [...(fields.get(name) ?? []), /** @type {Node} */ (node)]);
      },
      'Program:exit'() {
        /** @type {Map<Node, string>} */
        const reads = new Map();
        for (const { variables } of sourceCode.scopeManager.scopes)
          for (const { name, defs, references } of variables) {
            if (!defs.some(({ type, node }) => type === 'Variable' && follows(node))) continue;
            // A callback is a function of the parent, which is still there.
            if (/^on[a-z]/.test(name)) continue;
            for (const read of references)
              if (read.isRead() && !read.init)
                reads.set(/** @type {Node} */ (read.identifier), name);
          }
        for (const name of derived)
          for (const node of fields.get(name) ?? []) reads.set(node, `this.${name}`);
        for (const [node, name] of reads)
          if (isLate(node)) context.report({ node, messageId: 'late', data: { name } });
      },
    };

    /** @param {Node} node */
    function isLate(node) {
      for (let within = functionOf(node); within !== null; within = functionOf(within)) {
        const waits = (awaits.get(within) ?? []).filter(({ range }) => range[1] <= node.range[0]);
        if (waits.length === 0 && !runsLater(within)) continue;
        const since = waits.at(-1)?.range[1] ?? within.range[0];
        return !checks.test(sourceCode.text.slice(since, node.range[0]));
      }
      return false;
    }
  },
};

/** @param {Node} node @returns {Node | null} */
function functionOf(node) {
  /** @type {Node | null} */
  let at = node.parent;
  while (at !== null && !at.type.includes('Function')) at = at.parent;
  return at;
}

/** @param {Node} node a function */
function runsLater({ parent }) {
  if (parent?.type !== 'CallExpression') return false;
  const { callee } = parent;
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' && later.has(name.name);
}

/** Whether a declaration follows state. @param {import('estree').VariableDeclarator} node */
function follows({ init, id }) {
  if (!init) return false;
  const isProps =
    init.type === 'CallExpression' &&
    init.callee.type === 'Identifier' &&
    init.callee.name === '$props';
  return (isProps && id.type === 'ObjectPattern') || isDerived(init);
}

/** @param {import('estree').Node} node */
function isDerived(node) {
  if (node.type !== 'CallExpression') return false;
  const callee = node.callee.type === 'MemberExpression' ? node.callee.object : node.callee;
  return callee.type === 'Identifier' && callee.name === '$derived';
}
