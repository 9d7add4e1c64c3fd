/** Content types of the files in a build, by file-name extension. */

const types = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.ico', 'image/x-icon'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.png', 'image/png'],
  ['.py', 'text/x-python; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.wasm', 'application/wasm'],
  ['.webmanifest', 'application/manifest+json'],
  ['.whl', 'application/zip'],
  ['.woff2', 'font/woff2'],
  ['.zip', 'application/zip'],
]);

/**
 * @param {string} extension with its dot
 * @returns {string}
 */
export function contentType(extension) {
  return types.get(extension.toLowerCase()) ?? 'application/octet-stream';
}
