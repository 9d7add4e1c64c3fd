/** The listing of tools: its record, which the page stores for the service worker, and its HTTP response from both. */

/** One record of the store `listing`, under the id `latest`. */
export interface ListingRecord {
  readonly id: 'latest';
  /** JSON text of the answer to `GET api/tools`. */
  readonly body: string;
  readonly etag: string;
}

/** The database that page and service worker share; one for each base path of the origin. */
export function databaseName(basePath: string): string {
  return `cloche:${basePath}`;
}

/** Answer to `GET api/tools` if no folder is open and none is stored. */
export const emptyListing: ListingRecord = {
  id: 'latest',
  body: '{"state":"none","folder":null,"folderId":"","revision":"","tools":[],"problems":[]}',
  etag: '"none"',
};

/** 200 with the body, or 304 if the caller already has it; HEAD gets only the head. */
export function respondIfChanged(
  request: Pick<Request, 'method' | 'headers'>,
  etag: string,
  body: () => BodyInit,
): Response {
  const headers = {
    ETag: etag,
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-cache',
  };
  if (matchesTag(request.headers.get('If-None-Match'), etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(request.method === 'HEAD' ? null : body(), { headers });
}

// Weak comparison, as RFC 9110 requires for If-None-Match.
function matchesTag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return Array.from(ifNoneMatch.matchAll(/"[^"]*"/g), ([tag]) => tag).includes(etag);
}
