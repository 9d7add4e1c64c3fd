/**
 * Lint rule: every text that users read is written in the source, or has passed through the path for foreign text
 * (src/app/ui/parts/visible-text.ts), which bounds it and spells out invisible characters.
 */
import ts from 'typescript';

/** Attributes that users read or hear. */
const readAttributes =
  /^(title|alt|placeholder|label|summary|aria-(label|description|valuetext|roledescription|placeholder))$/;
/** Properties of elements and of the document that users read. */
const readProperties = /^(textContent|innerText|title|alt|placeholder|label|ariaLabel)$/;
/** Methods of elements that add texts. */
const addingMethods =
  /^(append|prepend|before|after|replaceWith|replaceChildren|createTextNode|insertAdjacentText)$/;
/** Calls and names that may stand between a shown text and the place where it is written. */
const maxSteps = 12;

/**
 * A node of the syntax tree, of TypeScript or of Svelte's markup; its type decides which members it has.
 * @typedef {object} Syntax
 * @property {string} type
 * @property {string} name
 * @property {string} kind
 * @property {string} value
 * @property {Syntax} parent
 * @property {Syntax} key
 * @property {Syntax} expression
 * @property {Syntax} left
 * @property {Syntax} right
 * @property {Syntax} callee
 * @property {Syntax} object
 * @property {Syntax | undefined} property
 * @property {readonly Syntax[] | undefined} properties
 * @property {readonly Syntax[]} arguments
 */

/**
 * The parser's knowledge of the file, without types if the parser reads none.
 * @typedef {object} Services
 * @property {ts.Program | undefined} program
 * @property {{ get(node: unknown): ts.Node }} esTreeNodeToTSNodeMap
 */

/** @type {import('eslint').Rule.RuleModule} */
export const visibleTextRule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      foreign:
        'This text may be foreign. Show it with visibleText(), ShortText, LongText or TailText, which bound it and show its invisible characters.',
    },
  },
  create(context) {
    const services = /** @type {unknown} */ (context.sourceCode.parserServices);
    const { program, esTreeNodeToTSNodeMap: nodes } = /** @type {Services} */ (services);
    if (program === undefined) return {};
    const checker = program.getTypeChecker();
    const texts = new OwnTexts(checker);
    /** @param {unknown} node */
    const check = (node) => {
      if (texts.has(nodes.get(node))) return;
      context.report({
        node: /** @type {import('eslint').Rule.Node} */ (node),
        messageId: 'foreign',
      });
    };
    /** Whether a value is a part of the page. @param {Syntax} node */
    const isNode = (node) =>
      /Element|Document|Node|Text/.test(
        checker.typeToString(checker.getTypeAtLocation(nodes.get(node))),
      );
    /** @type {Record<string, (node: Syntax) => void>} */
    const listeners = {
      SvelteMustacheTag({ parent, expression }) {
        if (parent.type === 'SvelteAttribute') {
          // A component's properties are checked where the component shows them.
          const isShown = readAttributes.test(parent.key.name);
          if (isShown && parent.parent.parent.kind === 'html') check(expression);
        } else if (!/^Svelte(Directive|Style|SpreadAttribute|AttachTag)/.test(parent.type))
          check(expression);
      },
      AssignmentExpression({ left, right }) {
        if (left.type !== 'MemberExpression' || !readProperties.test(left.property?.name ?? ''))
          return;
        if (isNode(left.object)) check(right);
      },
      CallExpression({ callee, arguments: args }) {
        if (callee.type !== 'MemberExpression') return;
        const name = callee.property?.name ?? '';
        if (name === 'setAttribute' && readAttributes.test(args[0]?.value ?? '')) check(args[1]);
        if (addingMethods.test(name) && isNode(callee.object))
          for (const one of args)
            if (one.type !== 'SpreadElement' && texts.isText(nodes.get(one))) check(one);
      },
      Property({ key, value }) {
        if (readAttributes.test(key.value) && texts.isText(nodes.get(value))) check(value);
      },
      NewExpression({ callee, arguments: [title, options] }) {
        if ((callee.property ?? callee).name !== 'Notification') return;
        check(title);
        const body = options?.properties?.find(({ key }) => key.name === 'body');
        if (body !== undefined) check(body.value);
      },
    };
    return /** @type {import('eslint').Rule.RuleListener} */ (/** @type {unknown} */ (listeners));
  },
};

/** @typedef {ReadonlyMap<ts.Symbol, boolean>} Parameters whether the parameters of the functions around an expression get own texts */

/** Decides which expressions are only texts that are written in the source, numbers, and texts that were made visible. */
class OwnTexts {
  #checker;

  /** @param {ts.TypeChecker} checker */
  constructor(checker) {
    this.#checker = checker;
  }

  /** Whether an expression can be a text. @param {ts.Node} node */
  isText(node) {
    const type = this.#checker.getTypeAtLocation(node);
    const all = type.isUnion() ? type.types : [type];
    return all.some(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0);
  }

  /**
   * @param {ts.Node | undefined} node
   * @param {Parameters} [known]
   * @param {number} [steps]
   * @returns {boolean}
   */
  has(node, known = new Map(), steps = 0) {
    if (node === undefined || steps > maxSteps) return false;
    if (this.#isHarmless(this.#checker.getTypeAtLocation(node))) return true;
    /** @param {ts.Node | undefined} other */
    const has = (other) => this.has(other, known, steps + 1);
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return has(node.expression);
    if (ts.isTemplateExpression(node))
      return node.templateSpans.every(({ expression }) => has(expression));
    if (ts.isArrayLiteralExpression(node)) return node.elements.every(has);
    if (ts.isConditionalExpression(node)) return has(node.whenTrue) && has(node.whenFalse);
    if (ts.isBinaryExpression(node))
      return (
        has(node.right) &&
        (node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken || has(node.left))
      );
    if (ts.isCallExpression(node)) return this.#call(node, known, steps);
    if (ts.isElementAccessExpression(node)) return this.#members(node.expression, known, steps);
    if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) {
      const symbol = this.#symbol(node);
      if (symbol === undefined) return false;
      return known.get(symbol) ?? this.#declared(symbol, known, steps);
    }
    return false;
  }

  /** @param {ts.Type} type @returns {boolean} */
  #isHarmless(type) {
    if (type.isUnion()) return type.types.every((one) => this.#isHarmless(one));
    if (type.isLiteral()) return true;
    // The member marks a result of visibleText.
    const marks = type.isIntersection() ? type.types : [];
    if (
      marks.some((mark) => mark.getProperties().some(({ name }) => name.startsWith('__@visible')))
    )
      return true;
    const { BigIntLike, BooleanLike, NumberLike, Null, Undefined, Void, Never } = ts.TypeFlags;
    const other = BigIntLike | BooleanLike | NumberLike | Null | Undefined | Void | Never;
    return (type.flags & other) !== 0;
  }

  /**
   * @param {ts.CallExpression} node
   * @param {Parameters} known
   * @param {number} steps
   */
  #call(node, known, steps) {
    const { expression: callee, arguments: args } = node;
    /** @param {ts.Node | undefined} other */
    const has = (other) => this.has(other, known, steps + 1);
    if (/^(String|\$derived)$/.test(callee.getText())) return has(args[0]);
    if (callee.getText() === '$derived.by') return this.#returns(args[0], known, steps);
    if (ts.isPropertyAccessExpression(callee)) {
      const { expression: object, name } = callee;
      const type = this.#checker.getTypeAtLocation(object);
      if (/^(slice|trim|toUpperCase|toLowerCase|charAt|padStart|padEnd)$/.test(name.text))
        return has(object);
      if (name.text === 'replace') return has(object) && has(args[1]);
      if (name.text === 'join') return has(args[0]) && this.#elements(object, known, steps);
      if (/^(toLocale(|Time|Date)String|toFixed|toString)$/.test(name.text))
        return this.#isHarmless(type) || this.#checker.typeToString(type) === 'Date';
      if (name.text === 'format') return this.#checker.typeToString(type).endsWith('Format');
    }
    const declarations = this.#symbol(callee)?.declarations ?? [];
    return (
      declarations.length > 0 && declarations.every((one) => this.#result(one, node, known, steps))
    );
  }

  /**
   * Whether a function returns own texts for the arguments of a call.
   * @param {ts.Declaration} declaration
   * @param {ts.CallExpression} call
   * @param {Parameters} known
   * @param {number} steps
   */
  #result(declaration, call, known, steps) {
    const made = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
    if (made === undefined || !ts.isFunctionLike(made)) return false;
    const inner = new Map(known);
    made.parameters.forEach((parameter, index) => {
      const symbol = this.#checker.getSymbolAtLocation(parameter.name);
      const argument = call.arguments[index];
      const { initializer } = parameter;
      const own =
        argument !== undefined
          ? this.has(argument, known, steps + 1)
          : initializer === undefined || this.has(initializer, inner, steps + 1);
      if (symbol !== undefined) inner.set(symbol, own);
    });
    return this.#returns(made, inner, steps);
  }

  /**
   * Whether a function returns only own texts.
   * @param {ts.Node | undefined} made
   * @param {Parameters} known
   * @param {number} steps
   */
  #returns(made, known, steps) {
    if (made === undefined || !ts.isFunctionLike(made) || !('body' in made)) return false;
    const { body } = made;
    if (body === undefined || !ts.isBlock(body)) return this.has(body, known, steps + 1);
    /** @type {(ts.Expression | undefined)[]} */
    const found = [];
    /** @param {ts.Node} node */
    const visit = (node) => {
      if (ts.isReturnStatement(node)) found.push(node.expression);
      else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    visit(body);
    return found.length > 0 && found.every((one) => this.has(one, known, steps + 1));
  }

  /**
   * @param {ts.Symbol} symbol
   * @param {Parameters} known
   * @param {number} steps
   */
  #declared({ declarations = [] }, known, steps) {
    /** @param {ts.Declaration} one */
    const isOwn = (one) => {
      if (ts.isGetAccessor(one)) return this.#returns(one, known, steps);
      const isFixed =
        ts.isPropertyAssignment(one) ||
        (ts.isVariableDeclaration(one) && (one.parent.flags & ts.NodeFlags.Const) !== 0);
      return isFixed && this.has(one.initializer, known, steps + 1);
    };
    return declarations.length > 0 && declarations.every(isOwn);
  }

  /**
   * Whether all members of a constant object or array are own texts.
   * @param {ts.Node} node
   * @param {Parameters} known
   * @param {number} steps
   */
  #members(node, known, steps) {
    const declaration = this.#symbol(node)?.valueDeclaration;
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false;
    const { initializer } = declaration;
    if (initializer === undefined) return false;
    if (!ts.isObjectLiteralExpression(initializer))
      return this.#elements(initializer, known, steps);
    return initializer.properties.every(
      (one) => ts.isPropertyAssignment(one) && this.has(one.initializer, known, steps + 1),
    );
  }

  /**
   * @param {ts.Node} node an array
   * @param {Parameters} known
   * @param {number} steps
   */
  #elements(node, known, steps) {
    if (ts.isArrayLiteralExpression(node)) return this.has(node, known, steps + 1);
    const type = this.#checker.getTypeAtLocation(node);
    const element = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    return element !== undefined && this.#isHarmless(element);
  }

  /** @param {ts.Node} node */
  #symbol(node) {
    const symbol = this.#checker.getSymbolAtLocation(node);
    if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
    return this.#checker.getAliasedSymbol(symbol);
  }
}
