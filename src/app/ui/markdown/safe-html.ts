/** Sanitises untrusted HTML; no other module inserts HTML from outside into the page. */

import DOMPurify from 'dompurify';

const tags =
  'div p br hr strong em del a span code pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td';
/** Schemes that links may have; our Markdown renderer creates no others. */
const address = /^(?:https?|mailto):/i;
const attributes = ['href', 'target', 'rel', 'class', 'start', 'align', 'dir'];

/** `setHTML`, which TypeScript's DOM types lack. */
interface Room extends HTMLDivElement {
  setHTML(html: string, how: { readonly sanitizer: Sanitizer }): void;
}

export type SafeTree = (html: string) => DocumentFragment;

/** Returns nodes, since HTML text would be parsed again and might then mean something else. */
export const safeTree: SafeTree = knowsSanitizer() ? byBrowser() : byLibrary();

/** The first browsers with a sanitizer had another API, which ignores this configuration. */
function knowsSanitizer(): boolean {
  if (!('Sanitizer' in window && 'setHTML' in Element.prototype)) return false;
  try {
    const tree = byBrowser()('<p id="a">b</p><img>');
    const room = document.createElement('div');
    room.append(tree);
    return room.innerHTML === '<p>b</p>';
  } catch {
    return false;
  }
}

/**
 * The browser's sanitizer takes a third of the library's time: a screen of a long session has
 * thousands of nodes.
 */
function byBrowser(): SafeTree {
  const sanitizer = new Sanitizer({
    elements: tags.split(' '),
    attributes,
    dataAttributes: false,
    comments: false,
  });
  return (html) => {
    const room = document.createElement('div') as Room;
    room.setHTML(html, { sanitizer });
    // The sanitizer removes script URLs, and allows all other schemes.
    for (const link of room.querySelectorAll('[href]'))
      // @mutant links in sanitised HTML lead into the web => if (!address.test(link.getAttribute('href') ?? ''))
      //   link.removeAttribute('href' -> link.getAttributeNames( [app tests/threats/html.test.ts nothing runs, loads,
      //   leads away or lies above the page (the browser)]
      if (!address.test(link.getAttribute('href') ?? '')) link.removeAttribute('href');
    const tree = document.createDocumentFragment();
    while (room.firstChild !== null) tree.append(room.firstChild);
    return tree;
  };
}

function byLibrary(): SafeTree {
  const purifier = DOMPurify(window);
  // The configuration is set once, since parsing it takes as long as sanitising a short text.
  purifier.setConfig({
    ALLOWED_TAGS: tags.split(' '),
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: address,
    // The library checks all attributes for addresses unless told otherwise.
    ADD_URI_SAFE_ATTR: attributes.filter((name) => name !== 'href'),
    RETURN_DOM_FRAGMENT: true,
  });
  return (html) => {
    // @mutant HTML is sanitised by the library => purifier.sanitize ->
    //   document.createRange().createContextualFragment [app tests/threats/html.test.ts nothing runs, loads, leads
    //   away or lies above the page (the library)]
    const tree: unknown = purifier.sanitize(html);
    if (!(tree instanceof DocumentFragment)) throw new Error('The sanitiser returned no fragment.');
    return tree;
  };
}
