/** The list of files that identifies a build, and the mark in its page. */
import { sha256 } from './digest.ts';

export interface BuiltFile {
  /** Path below the app's base. */
  name: string;
  content: string | Uint8Array;
}

export interface ListedBuild {
  /** Depends on the content of every file: the same sources give the same id. */
  id: string;
  /** index.html with the mark in its head. */
  page: string;
  /** Written as an additional file of the build. */
  list: { name: string; content: string };
}

/** The formats are read by src/runtime/protocol/offline.ts, also in builds older and newer than this one. */
export function listBuild(page: string, files: readonly BuiltFile[], date: string): ListedBuild {
  if (page.split('</head>').length !== 2) throw new Error('index.html: expected one </head>.');
  const listed = [...files]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, content }) => ({
      url: name,
      sha256: sha256(content, 'hex'),
      bytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
      // Files that the page's elements name are needed before the first paint.
      shell: page.includes(`="./${name}"`) && name.startsWith('assets/'),
    }));
  const content = JSON.stringify({ format: 1, page: sha256(page, 'hex'), files: listed });
  const id = sha256(content, 'hex').slice(0, 16);
  const mark = `<meta name="cloche-build" content="${id}" data-date="${date}" />`;
  return {
    id,
    page: page.replace('</head>', `  ${mark}\n  </head>`),
    list: { name: `assets/files-${id}.json`, content },
  };
}
