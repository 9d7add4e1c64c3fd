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
/** The maximum number of calls and names between a shown text and the place where it is written. */
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
      // {text} in Svelte's markup
      SvelteMustacheTag({ parent, expression }) {
        if (parent.type === 'SvelteAttribute') {
          // A component's properties are checked where the component shows them.
          const isShown = readAttributes.test(parent.key.name);
          if (isShown && parent.parent.parent.kind === 'html') check(expression);
        } else if (!/^Svelte(Directive|Style|SpreadAttribute|AttachTag)/.test(parent.type))
          check(expression);
      },
      // element.textContent = text
      AssignmentExpression({ left, right }) {
        if (left.type !== 'MemberExpression' || !readProperties.test(left.property?.name ?? ''))
          return;
        if (isNode(left.object)) check(right);
      },
      // element.setAttribute('title', text), element.append(text)
      CallExpression({ callee, arguments: args }) {
        if (callee.type !== 'MemberExpression') return;
        const name = callee.property?.name ?? '';
        if (name === 'setAttribute' && readAttributes.test(args[0]?.value ?? '')) check(args[1]);
        if (addingMethods.test(name) && isNode(callee.object))
          for (const one of args)
            if (one.type !== 'SpreadElement' && texts.isText(nodes.get(one))) check(one);
      },
      // { 'aria-label': text } in an object of attributes
      Property({ key, value }) {
        if (readAttributes.test(key.value) && texts.isText(nodes.get(value))) check(value);
      },
      // new Notification(text, { body: text })
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

/**
 * What is known at the place of an expression.
 * @typedef {object} Scope
 * @property {ReadonlyMap<ts.Symbol, boolean>} parameters of the enclosing functions, and whether the call that led here gives each of them own text
 * @property {number} steps calls and names between the shown text and the expression
 */

/**
 * Decides which expressions are own text: only text that is written in the source, numbers, and text that was made visible.
 * Everything that the rule does not know is foreign text.
 */
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
   * Whether an expression is own text.
   * @param {ts.Node | undefined} node
   * @param {Scope} [scope]
   * @returns {boolean}
   */
  has(node, { parameters, steps } = { parameters: new Map(), steps: 0 }) {
    if (node === undefined || steps > maxSteps) return false;
    if (this.#isHarmless(this.#checker.getTypeAtLocation(node))) return true;
    const scope = { parameters, steps: steps + 1 };
    /** @param {ts.Node | undefined} other */
    const has = (other) => this.has(other, scope);
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return has(node.expression);
    if (ts.isTemplateExpression(node))
      return node.templateSpans.every(({ expression }) => has(expression));
    if (ts.isArrayLiteralExpression(node)) return node.elements.every(has);
    if (ts.isConditionalExpression(node)) return has(node.whenTrue) && has(node.whenFalse);
    if (ts.isBinaryExpression(node)) {
      // The left side of `&&` is only shown if it is false.
      const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
      return has(node.right) && (isAnd || has(node.left));
    }
    if (ts.isCallExpression(node)) return this.#isOwnCall(node, scope);
    if (ts.isElementAccessExpression(node)) return this.#hasOwnMembers(node.expression, scope);
    if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) {
      const symbol = this.#symbolOf(node);
      if (symbol === undefined) return false;
      return parameters.get(symbol) ?? this.#isDeclaredOwn(symbol, scope);
    }
    return false;
  }

  /** Whether all values of a type are own text, or cannot be harmful text. @param {ts.Type} type @returns {boolean} */
  #isHarmless(type) {
    if (type.isUnion()) return type.types.every((one) => this.#isHarmless(one));
    if (type.isLiteral()) return true;
    // The member marks a result of visibleText.
    const parts = type.isIntersection() ? type.types : [];
    const members = parts.flatMap((part) => part.getProperties());
    if (members.some(({ name }) => name.startsWith('__@visible'))) return true;
    const { BigIntLike, BooleanLike, NumberLike, Null, Undefined, Void, Never } = ts.TypeFlags;
    const other = BigIntLike | BooleanLike | NumberLike | Null | Undefined | Void | Never;
    return (type.flags & other) !== 0;
  }

  /**
   * Whether the result of a call is own text.
   * @param {ts.CallExpression} node
   * @param {Scope} scope
   */
  #isOwnCall(node, scope) {
    const { expression: callee, arguments: args } = node;
    const name = callee.getText();
    if (name === 'String' || name === '$derived') return this.has(args[0], scope);
    if (name === '$derived.by') return this.#returnsOwn(args[0], scope);
    const ofMethod = ts.isPropertyAccessExpression(callee)
      ? this.#isOwnResultOf(callee, args, scope)
      : undefined;
    if (ofMethod !== undefined) return ofMethod;
    const declarations = this.#symbolOf(callee)?.declarations ?? [];
    return (
      declarations.length > 0 &&
      declarations.every((declaration) => this.#returnsOwnFor(declaration, args, scope))
    );
  }

  /**
   * Whether the result of a built-in method of JavaScript is own text; undefined for other methods.
   * @param {ts.PropertyAccessExpression} method
   * @param {readonly ts.Expression[]} args
   * @param {Scope} scope
   */
  #isOwnResultOf({ expression: object, name: { text: name } }, args, scope) {
    const type = this.#checker.getTypeAtLocation(object);
    if (/^(slice|trim|toUpperCase|toLowerCase|charAt|padStart|padEnd)$/.test(name))
      return this.has(object, scope);
    if (name === 'replace') return this.has(object, scope) && this.has(args[1], scope);
    if (name === 'join') return this.has(args[0], scope) && this.#hasOwnElements(object, scope);
    if (/^(toLocale(|Time|Date)String|toFixed|toString)$/.test(name))
      return this.#isHarmless(type) || this.#checker.typeToString(type) === 'Date';
    if (name === 'format') return this.#checker.typeToString(type).endsWith('Format');
    return undefined;
  }

  /**
   * Whether a function returns own text for the arguments of a call.
   * @param {ts.Declaration} declaration
   * @param {readonly ts.Expression[]} args
   * @param {Scope} scope
   */
  #returnsOwnFor(declaration, args, scope) {
    const made = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
    if (made === undefined || !ts.isFunctionLike(made)) return false;
    const parameters = new Map(scope.parameters);
    const inside = { ...scope, parameters };
    made.parameters.forEach(({ name, initializer }, index) => {
      const symbol = this.#checker.getSymbolAtLocation(name);
      const argument = args[index];
      // A parameter without an argument or an initializer is undefined, which is not shown.
      const isOwn =
        argument !== undefined
          ? this.has(argument, scope)
          : initializer === undefined || this.has(initializer, inside);
      if (symbol !== undefined) parameters.set(symbol, isOwn);
    });
    return this.#returnsOwn(made, inside);
  }

  /**
   * Whether a function returns only own text.
   * @param {ts.Node | undefined} made
   * @param {Scope} scope
   */
  #returnsOwn(made, scope) {
    if (made === undefined || !ts.isFunctionLike(made) || !('body' in made)) return false;
    const { body } = made;
    if (body === undefined || !ts.isBlock(body)) return this.has(body, scope);
    /** @type {(ts.Expression | undefined)[]} */
    const returned = [];
    /** @param {ts.Node} node */
    const visit = (node) => {
      if (ts.isReturnStatement(node)) returned.push(node.expression);
      else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    visit(body);
    return returned.length > 0 && returned.every((one) => this.has(one, scope));
  }

  /**
   * Whether a name stands for own text wherever it is declared: as a constant, a member of an object, or a getter.
   * @param {ts.Symbol} symbol
   * @param {Scope} scope
   */
  #isDeclaredOwn({ declarations = [] }, scope) {
    /** @param {ts.Declaration} declaration */
    const isOwn = (declaration) => {
      if (ts.isGetAccessor(declaration)) return this.#returnsOwn(declaration, scope);
      const isFixed =
        ts.isPropertyAssignment(declaration) ||
        (ts.isVariableDeclaration(declaration) &&
          (declaration.parent.flags & ts.NodeFlags.Const) !== 0);
      return isFixed && this.has(declaration.initializer, scope);
    };
    return declarations.length > 0 && declarations.every(isOwn);
  }

  /**
   * Whether all members of a constant object or array are own text.
   * @param {ts.Node} node
   * @param {Scope} scope
   */
  #hasOwnMembers(node, scope) {
    const declaration = this.#symbolOf(node)?.valueDeclaration;
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false;
    const { initializer } = declaration;
    if (initializer === undefined) return false;
    if (!ts.isObjectLiteralExpression(initializer)) return this.#hasOwnElements(initializer, scope);
    return initializer.properties.every(
      (one) => ts.isPropertyAssignment(one) && this.has(one.initializer, scope),
    );
  }

  /**
   * Whether all items of an array are own text.
   * @param {ts.Node} node
   * @param {Scope} scope
   */
  #hasOwnElements(node, scope) {
    if (ts.isArrayLiteralExpression(node)) return this.has(node, scope);
    const type = this.#checker.getTypeAtLocation(node);
    const element = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    return element !== undefined && this.#isHarmless(element);
  }

  /** The symbol that a name stands for; for an imported name, the one that the other file declares. @param {ts.Node} node */
  #symbolOf(node) {
    const symbol = this.#checker.getSymbolAtLocation(node);
    if (symbol === undefined || (symbol.flags & ts.SymbolFlags.Alias) === 0) return symbol;
    return this.#checker.getAliasedSymbol(symbol);
  }
}
