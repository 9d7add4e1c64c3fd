/** Answers requests for files of the app, from a stored build or the server. */

import type { Site } from './answer-navigation.ts';

/**
 * Files in `assets/` have a hash in their names and never change, so a stored one is used first: a page gets the files of
 * its build even after the server has deleted them. Other files come from the server, and from storage only offline.
 */
export async function answerFile(request: Request, site: Site): Promise<Response> {
  const { url } = request;
  if (url.startsWith(`${site.address}assets/`))
    return (await site.stored.find(url)) ?? site.fetch(request);
  try {
    return await site.fetch(request);
  } catch (thrown) {
    const found = await site.stored.find(url);
    if (found === undefined) throw thrown;
    return found;
  }
}
