/** Passes the response of an authorization server on to the page of Cloche that waits for it, and closes this page. */

const query = new URLSearchParams(location.search);
// The code must not stay in the history.
history.replaceState(null, '', location.pathname);
/** @type {Record<string, string | null>} */
const response = {};
for (const name of ['state', 'code', 'iss', 'error', 'error_description'])
  if (query.has(name)) response[name] = query.get(name);
const channel = new BroadcastChannel(`cloche:${new URL('.', location.href).pathname}:sign-in`);
channel.postMessage(response);
channel.close();
window.close();
