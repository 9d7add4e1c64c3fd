/** Code that sends a request of the explorer, to be copied: with fetch, and with the client. */

import type { ApiRequest, Draft, Operation } from './operations.ts';

/** @param address of the app, with a trailing slash */
export function fetchSnippet(
  { method, path, headers = {}, body }: ApiRequest,
  address: string,
): string {
  const all = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(all).length === 0 ? [] : [`  headers: ${JSON.stringify(all)},`]),
    ...(body === undefined ? [] : [`  body: ${JSON.stringify(inOneLine(body))},`]),
  ];
  const url = JSON.stringify(`${address}api/${path}`);
  const optionsText = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const read =
    headers.Accept === 'text/event-stream'
      ? 'for await (const chunk of response.body.pipeThrough(new TextDecoderStream()))\n  console.log(chunk);'
      : 'console.log(await response.json());';
  return `const response = await fetch(${url}${optionsText});\n${read}`;
}

/** @param address of the app, with a trailing slash */
export function clientSnippet(
  operation: Operation,
  draft: Draft,
  request: ApiRequest,
  address: string,
): string {
  const connecting = [
    `import { connect } from 'cloche'; // or from ${JSON.stringify(`${address}cloche-client.js`)}`,
    `const cloche = await connect(${JSON.stringify(address)});`,
  ].join('\n');
  return `${connecting}\n${clientCall(operation, draft, request)}`;
}

/** The code that calls the client’s method for an operation, and logs what it returns. */
function clientCall(
  { id, path }: Operation,
  { values, body, asEvents }: Draft,
  request: ApiRequest,
): string {
  const invoked = /^\/tools\/([^{}]+)\/invoke$/.exec(path)?.[1];
  const valueText = (name: string): string => JSON.stringify(values[name] ?? '');
  const filter = (): string => {
    const filled = Object.entries(values).filter(([, text]) => text !== '');
    return filled.length === 0 ? '' : JSON.stringify(Object.fromEntries(filled));
  };
  const folder = (values.folder ?? '') === '' ? '' : valueText('folder');
  if (invoked !== undefined) {
    const { args, options } = callParts(body, values.folder ?? '');
    const name = JSON.stringify(decodeURIComponent(invoked));
    const argumentList = [name, args, ...(options === '' ? [] : [options])].join(', ');
    return asEvents
      ? `for await (const event of cloche.stream(${argumentList}))\n  console.log(event);`
      : `const result = await cloche.call(${argumentList});\nconsole.log(result.textResultForLlm);`;
  }
  switch (id) {
    case 'list_tools':
      return `console.log(await cloche.list(${folder}));`;
    case 'get_tool':
      return `console.log(await cloche.get(${[valueText('name'), ...(folder === '' ? [] : [folder])].join(', ')}));`;
    case 'list_folders':
      return 'console.log(await cloche.folders());';
    case 'list_calls':
      return `for await (const call of cloche.calls(${filter()}))\n  console.log(call);`;
    case 'list_sessions':
      return `for await (const session of cloche.sessions(${filter()}))\n  console.log(session);`;
    case 'get_call':
      return `for await (const event of cloche.watchCall(${valueText('id')}))\n  console.log(event);`;
    case 'cancel_call':
      return `await cloche.cancel(${valueText('id')});`;
    case 'list_runs':
      return 'console.log(await cloche.runs.list());';
    case 'get_run':
      return asEvents
        ? `for await (const event of cloche.runs.watch(${valueText('id')}))\n  console.log(event);`
        : `console.log(await cloche.runs.get(${valueText('id')}));`;
    case 'stop_run':
      return `await cloche.runs.stop(${valueText('id')});`;
    case 'describe_api':
      return `console.log(await cloche.openApi(${folder}));`;
    default:
      return `console.log(await cloche.json(${JSON.stringify(request)}));`;
  }
}

/** The arguments and the options of a call, as code. */
function callParts(body: string, folder: string): { args: string; options: string } {
  const members = JSON.parse(body) as Record<string, unknown>;
  const { arguments: args = {}, session, validate } = members;
  const options = {
    ...(session !== undefined && { session }),
    ...(validate !== undefined && { validate }),
    ...(folder !== '' && { folder }),
  };
  return {
    args: JSON.stringify(args),
    options: Object.keys(options).length === 0 ? '' : JSON.stringify(options),
  };
}

/** Puts indented JSON on one line. Its strings have no line breaks, so they stay as they are. */
function inOneLine(body: string): string {
  return body.replace(/\n\s*/g, ' ');
}
