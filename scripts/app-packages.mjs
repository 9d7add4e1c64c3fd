/**
 * The packages that the app is made of. They are devDependencies, because the npm package is the client and the playground,
 * which need none of them; package.json lists their names as `appDependencies`.
 */

/** @typedef {{version?: string, license?: string, optional?: boolean, integrity?: string, dependencies?: Record<string, string>, peerDependencies?: Record<string, string>, optionalDependencies?: Record<string, string>}} LockEntry */

/**
 * Their paths in package-lock.json, with everything that they depend on.
 * @param {Readonly<Record<string, LockEntry>>} packages of package-lock.json
 * @param {readonly string[]} names of the app's own dependencies
 * @returns {Set<string>}
 */
export function appPackages(packages, names) {
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {(readonly [from: string, name: string])[]} */
  const open = names.map((name) => /** @type {const} */ (['', name]));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [from, name] = next;
    const path = installed(packages, from, name);
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    const { dependencies, peerDependencies, optionalDependencies } = packages[path] ?? {};
    const all = { ...dependencies, ...peerDependencies, ...optionalDependencies };
    for (const dependency of Object.keys(all)) open.push([path, dependency]);
  }
  return found;
}

/**
 * Where Node finds a package: in the nearest node_modules.
 * @param {Readonly<Record<string, LockEntry>>} packages
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function installed(packages, from, name) {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}
