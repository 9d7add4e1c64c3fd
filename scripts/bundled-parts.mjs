/** The parts of the built app that do not come from npm by themselves: for the notices and the bill of materials. */

/** The resolver's packages: workers/python/resolver/vendor.zip. */
export const vendored = [
  { name: 'resolvelib', version: '0.9.0', spdx: 'ISC', by: '', text: 'resolvelib.txt' },
  {
    name: 'packaging',
    version: '23.0',
    spdx: 'Apache-2.0',
    by: 'Copyright (C) 2014 Donald Stufft\nCopyright (C) 2012-2013 Vinay Sajip\n\n',
    text: 'Apache-2.0.txt',
  },
];

/**
 * What Pyodide's files consist of. A test compares the versions with the files; a part has none if the files do not say it.
 * @type {readonly {name: string, version?: string, spdx: string}[]}
 */
export const pyodideParts = [
  { name: 'CPython', version: '3.14.2', spdx: 'Python-2.0' },
  { name: 'Emscripten', version: '5.0.3', spdx: 'MIT' },
  { name: 'zlib', version: '1.3.1', spdx: 'Zlib' },
  { name: 'bzip2', version: '1.0.6', spdx: 'bzip2-1.0.6' },
  { name: 'liblzma', spdx: '0BSD' },
  { name: 'Zstandard', version: '1.5.7', spdx: 'BSD-3-Clause' },
  { name: 'SQLite', version: '3.39.0', spdx: 'blessing' },
  { name: 'Expat', version: '2.7.3', spdx: 'MIT' },
  { name: 'mpdecimal', version: '2.5.1', spdx: 'BSD-2-Clause' },
  { name: 'libffi', spdx: 'MIT' },
  { name: 'mimalloc', spdx: 'MIT' },
  { name: 'hiwire', spdx: 'MPL-2.0' },
  { name: 'error-stack-parser', spdx: 'MIT' },
];
