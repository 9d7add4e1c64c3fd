/**
 * Lint rule: a component reads its props, deriveds and elements before it waits, not after, unless it first checks that it
 * is still shown. Once a component is gone, they are no longer updated, and Svelte warns of each read; its elements are null.
 * A call reads what the called function of the component reads before its own first wait.
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

/** Functions that call their callbacks before they return. */
const atOnce = new Set(
  'every filter find findIndex findLast findLastIndex flatMap forEach map reduce some'.split(' '),
);

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
    /** Named functions that are callbacks which run later. @type {Set<Node>} */
    const callbacks = new Set();

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
        const variables = sourceCode.scopeManager.scopes.flatMap((scope) => scope.variables);
        const reads = readsOfState(variables);
        addCalls(reads, callsOfFunctions(variables));
        for (const [node, name] of reads)
          if (isLate(node)) context.report({ node, messageId: 'late', data: { name } });
      },
    };

    /**
     * The reads of props, deriveds and elements, each with the name that is read.
     * @param {readonly import('eslint').Scope.Variable[]} variables
     */
    function readsOfState(variables) {
      /** @type {Map<Node, string>} */
      const reads = new Map();
      for (const { name, defs, references } of variables) {
        const isState = defs.some(({ type, node }) => type === 'Variable' && follows(node));
        // A prop such as `onchange` is a function of the parent, which is still there.
        if (!isState || /^on[a-z]/.test(name)) continue;
        for (const read of references)
          if (read.isRead() && !read.init) reads.set(/** @type {Node} */ (read.identifier), name);
      }
      for (const name of derived)
        for (const node of fields.get(name) ?? []) reads.set(node, `this.${name}`);
      return reads;
    }

    /**
     * The named functions of the file, each with the places that call it. Adds those that are passed to `then` and the like
     * to `callbacks`.
     * @param {readonly import('eslint').Scope.Variable[]} variables
     */
    function callsOfFunctions(variables) {
      /** @type {Map<Node, Node[]>} */
      const calls = new Map();
      for (const { defs, references } of variables) {
        const uses = references.map(({ identifier }) => /** @type {Node} */ (identifier));
        for (const { type, node } of defs) {
          const declared = type === 'Parameter' ? null : functionIn(node);
          if (declared === null) continue;
          calls.set(declared, uses.filter(isCalled));
          if (uses.some(runsLater)) callbacks.add(declared);
        }
      }
      return calls;
    }

    /**
     * Adds to the reads the calls of functions that read something before their first wait, since the call then reads it.
     * The function that makes the call may itself be called, so this repeats until no call is added.
     * @param {Map<Node, string>} reads
     * @param {ReadonlyMap<Node, readonly Node[]>} calls
     */
    function addCalls(reads, calls) {
      for (let before = -1; before < reads.size;) {
        before = reads.size;
        for (const [own, places] of calls) {
          const [, name] = [...reads].find(([node]) => isBeforeWaits(node, own)) ?? [];
          if (name !== undefined)
            for (const place of places) if (!reads.has(place)) reads.set(place, name);
        }
      }
    }

    /**
     * Whether a read or call is in a function, before its first wait and without a check.
     * @param {Node} node the read or call
     * @param {Node} own the function
     */
    function isBeforeWaits(node, own) {
      let within = functionOf(node);
      // A callback of `map` and the like runs as a part of the function that it is in.
      while (within !== null && within !== own && isArgumentOf(within, atOnce))
        within = functionOf(within);
      if (within !== own) return false;
      const isAfterWait = (awaits.get(own) ?? []).some(({ range }) => range[1] <= node.range[0]);
      return !isAfterWait && !checks.test(sourceCode.text.slice(own.range[0], node.range[0]));
    }

    /**
     * Whether a read or call comes after a wait, without a check in between. Of the functions around it, the innermost one
     * that has waited before, or that runs later as a whole, decides.
     * @param {Node} node
     */
    function isLate(node) {
      for (let within = functionOf(node); within !== null; within = functionOf(within)) {
        const waits = (awaits.get(within) ?? []).filter(({ range }) => range[1] <= node.range[0]);
        if (waits.length === 0 && !runsLater(within) && !callbacks.has(within)) continue;
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

/** The function that a declaration declares. @param {import('estree').Node} node @returns {Node | null} */
function functionIn(node) {
  const own = node.type === 'VariableDeclarator' ? node.init : node;
  return own?.type.includes('Function') === true ? /** @type {Node} */ (own) : null;
}

/** @param {Node} node */
function isCalled(node) {
  return node.parent?.type === 'CallExpression' && node.parent.callee === node;
}

/** @param {Node} node a function, or its name */
function runsLater(node) {
  return isArgumentOf(node, later);
}

/** @param {Node} node @param {ReadonlySet<string>} names of functions and methods */
function isArgumentOf(node, names) {
  const { parent } = node;
  if (parent?.type !== 'CallExpression' || parent.callee === node) return false;
  const { callee } = parent;
  const name = callee.type === 'MemberExpression' ? callee.property : callee;
  return name.type === 'Identifier' && names.has(name.name);
}

/**
 * Whether a declaration follows state, or is an element of the component, which is null once it is gone.
 * @param {import('estree').VariableDeclarator} node
 */
function follows({ init, id }) {
  if (!init) return isElement(id);
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

/** Whether a variable is declared to be always an element. @param {import('estree').Pattern} variable */
function isElement(variable) {
  const { typeAnnotation: of } =
    /** @type {{typeAnnotation?: {typeAnnotation: {type: string, typeName?: {name?: string}}}}} */ (
      variable
    );
  const name = of?.typeAnnotation.typeName?.name;
  return of?.typeAnnotation.type === 'TSTypeReference' && /^(HTML|SVG)\w*Element$/.test(name ?? '');
}
