/** Names of files: compares them as the most lenient file systems and readers do, and knows those that are skipped because they belong to another program. */

const maxCharacters = 255;

/**
 * Returns a name in the form in which macOS and Windows compare it: without case, composed, without characters that HFS+
 * ignores, and without what Windows drops from its end. Two names of the same form may mean one file.
 */
export function comparableName(name: string): string {
  // No file system has such a name, and composing it could take long.
  if (name.length > maxCharacters) return name;
  if (/^[ -~]*$/.test(name)) return trimLikeWindows(name.toLowerCase());
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  // Upper case first: “ß” and “SS”, “ı” and “I” are then equal.
  return trimLikeWindows(visible.toUpperCase().toLowerCase().normalize('NFKC'));
}

/** Returns a path with each of its names in this form. */
export function comparablePath(path: string): string {
  // @mutant a name that some file systems take for another one is not written =>
  //   path.split('/').map(comparableName).join('/') -> path [src/runtime/workspace/validate-changes.test.ts]
  return path.split('/').map(comparableName).join('/');
}

/** Like {@link comparableName}, and with Latin letters for those that look like them. */
export function lookalikeName(name: string): string {
  if (name.length > maxCharacters || /^[ -~]*$/.test(name)) return comparableName(name);
  const bare = comparableName(name).normalize('NFKD').replace(/\p{M}/gu, '');
  return trimLikeWindows(
    Array.from(bare, (character) => lookalikes.get(character) ?? character).join(''),
  );
}

/** Files and folders that belong to other programs. */
const skipped = new Set([
  'node_modules',
  '__pycache__',
  '.venv',
  '.tox',
  '.nox',
  '.eggs',
  '.ipynb_checkpoints',
  '.git',
  '.hg',
  '.svn',
  '.idea',
  '.vscode',
  '.cache',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  // macOS adds this folder to zip files, and other systems unpack it.
  '__macosx',
]);

/**
 * Returns the name that a file or folder has, or may be taken for, if it belongs to another program: caches, installed
 * packages, repositories. Such files and folders are skipped, and never written. `.git` may be a file, too.
 */
export function skippedName(name: string): string | undefined {
  // The short name that Windows gives to `.git`.
  if (/^git~\d+$/.test(comparableName(name))) return '.git';
  // @mutant lookalike letters are compared as equal => lookalikeName -> comparableName
  //   [src/runtime/folder/path-rules.test.ts]
  // @mutant names are compared as the most lenient file system does => lookalikeName(name) -> name
  //   [src/runtime/folder/path-rules.test.ts src/runtime/workspace/validate-changes.test.ts]
  const alike = lookalikeName(name);
  return skipped.has(alike) ? alike : undefined;
}

function trimLikeWindows(name: string): string {
  // Windows takes what follows a colon as the name of a stream of the same file.
  const colon = name.indexOf(':');
  let end = colon < 0 ? name.length : colon;
  while (end > 0 && (name[end - 1] === '.' || name[end - 1] === ' ')) end -= 1;
  return name.slice(0, end);
}

/** Lookalikes of each ASCII character in lower case: the ones of Unicode's confusables that scripts in use have. */
const lookalikes = new Map(
  Object.entries({
    a: 'аαɑ⍺ᴀꭺ',
    b: 'ьƅᏏᖯʙв',
    c: 'сϲᴄⲥꮯ',
    d: 'ԁᏧᑯɗ',
    e: 'еҽ℮ꬲєεᴇ',
    f: 'ꞙẝքϝƒ',
    g: 'ɡᶃƍցɢԍ',
    h: 'һհᏂʜн',
    i: 'іıɩɪιӏꙇⲓǃ|ꭵ',
    j: 'јϳᴊ',
    k: 'кκᴋⲕ',
    l: 'ӏ׀ןاⵏᛁꓲʟ',
    m: 'мᴍⅿ',
    n: 'ոռɴпη',
    o: 'оοօഠ၀ⲟᴏσסهჿ',
    p: 'рρⲣᴘ⍴',
    q: 'ԛգզ',
    r: 'гᴦⲅʀꭇ',
    s: 'ѕƽꜱꮪ',
    t: 'тτᴛꭲⲧ',
    u: 'υսᴜꭎʋц',
    v: 'ѵνᴠⱱ∨',
    w: 'ԝѡաᴡɯшω',
    x: 'хχ×ⲭ᙮',
    y: 'уүγყʏʎ',
    z: 'ᴢꮓ',
    '.': '․܁۔。᎐·•',
    _: 'ߺ﹍﹎﹏',
    '-': '‐‑‒–—⁃−˗➖',
  }).flatMap(([ascii, others]) => Array.from(others, (other) => [other, ascii] as const)),
);
