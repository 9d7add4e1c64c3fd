/** Writes the Python file for the chosen operations of a document. */

import type { NeededKey } from '../../../src/runtime/protocol/imports.ts';
import { docstring, pythonText } from '../python-text.ts';
import { specText, type Handler } from './handler.ts';

export interface ChosenOperation {
  readonly name: string;
  readonly handler: Handler;
  /** Address of its own server; empty if the file’s applies. */
  readonly base: string;
}

export interface ApiFile {
  readonly title: string;
  readonly module: string;
  readonly base: string;
  readonly operations: readonly ChosenOperation[];
  readonly keys: readonly NeededKey[];
  /** Names of query parameters with keys. */
  readonly queryKeys: readonly string[];
}

/** Returns the Python text. */
export function apiFile(file: ApiFile): string {
  const { module, base, operations } = file;
  const functions = operations.map(({ name, handler, base: own }) =>
    handler.code(name, own === '' ? '' : pythonText(own)),
  );
  const code = functions.join('\n\n');
  const helpers = helpersFor(code, file);
  const imports = [
    'base64',
    'json',
    'os',
    'urllib.error',
    'urllib.parse',
    'urllib.request',
    'uuid',
  ];
  const used = imports.filter((name) => name.startsWith('urllib') || helpers.includes(`${name}.`));
  return [
    docstring(aboutFile(file), 0),
    '',
    ...used.map((name) => `import ${name}`),
    '',
    `BASE_URL = ${pythonText(base)}`,
    ...keyConstants(file),
    '',
    '',
    code,
    helpers,
    '',
    'TOOL_SPECS = [',
    ...operations.map(({ name, handler }) => specText(module, name, handler).trimEnd()),
    ']',
    '',
  ].join('\n');
}

/** The docstring of the file: what it calls, and where its keys come from. */
function aboutFile({ title, base, keys, queryKeys, module, operations }: ApiFile): string {
  const others = new Set(operations.map((operation) => operation.base).filter((own) => own !== ''));
  const servers = [base, ...others].join(', ');
  const lines = [`Tools that call ${title}.`, '', `Requests go to ${servers}.`];
  if (keys.length + queryKeys.length > 0)
    lines.push(
      '',
      'Keys are not in this file. In Cloche, add them on the Policy page: it sends them as headers.',
      'Elsewhere, set environment variables:',
      ...keys.map(
        ({ header, value }) =>
          `- ${variable(module, header)}: the header ${header}, such as ${value}`,
      ),
      ...queryKeys.map(
        (name) => `- ${variable(module, name)}: the query parameter ${name}; not in Cloche`,
      ),
    );
  return lines.join('\n');
}

/** The lines for the names of headers and query parameters with keys, and their environment variables. */
function keyConstants({ keys, queryKeys, module }: ApiFile): string[] {
  const dict = (name: string, of: readonly string[]): string[] =>
    of.length === 0
      ? []
      : [
          `${name} = {`,
          ...of.map((each) => `    ${pythonText(each)}: ${pythonText(variable(module, each))},`),
          '}',
        ];
  const all = [
    ...dict(
      'KEY_HEADERS',
      keys.map(({ header }) => header),
    ),
    ...dict('KEY_PARAMETERS', queryKeys),
  ];
  return all.length === 0
    ? []
    : ['# Environment variables with keys, which are sent to BASE_URL only.', ...all];
}

/** The environment variable for a key. */
function variable(module: string, name: string): string {
  return `${module}_${name}`.toUpperCase().replace(/[^A-Z\d]+/g, '_');
}

/** The helpers that the functions use. */
function helpersFor(code: string, { keys, queryKeys }: ApiFile): string {
  const needs = (name: string): boolean => code.includes(`${name}(`);
  const isForm = needs('_form');
  const used: string[] = [request(keys.length > 0, queryKeys.length > 0), content];
  if (needs('_path')) used.push(path);
  if (needs('_query')) used.push(query);
  if (isForm) used.push(form);
  if (needs('_json')) used.push(jsonBody);
  if (needs('_given')) used.push(given);
  if (needs('_json_text')) used.push(jsonText);
  if (needs('_encoded')) used.push(encoded);
  if (needs('_decoded')) used.push(decoded);
  if (needs('_multipart')) used.push(multipart);
  used.push(text);
  return used.map((helper) => `\n${helper}`).join('\n');
}

/** The helper that sends a request. */
function request(hasKeys: boolean, hasQueryKeys: boolean): string {
  const keys = hasKeys
    ? `
    if base == BASE_URL:
        for name, variable in KEY_HEADERS.items():
            if variable in os.environ:
                sent[name] = os.environ[variable]`
    : '';
  const queryKeys = hasQueryKeys
    ? `
    if base == BASE_URL:
        for name, variable in KEY_PARAMETERS.items():
            if variable in os.environ:
                query = [*query, f"{name}={urllib.parse.quote(os.environ[variable], safe='')}"]`
    : '';
  return `def _request(
    method, path, query=(), headers=None, data=None, content_type=None, base=BASE_URL
):
    """Sends a request. Returns the value of a JSON response, else its text or bytes."""
    sent = {"Accept": "application/json, */*;q=0.8"}
    if data is not None:
        sent["Content-Type"] = content_type
    for name, value in (headers or {}).items():
        if value is not None:
            sent[name] = ",".join(map(_text, value)) if isinstance(value, list) else _text(value)${keys}${queryKeys}
    url = base.rstrip("/") + path
    if query:
        url += ("&" if "?" in path else "?") + "&".join(query)
    request = urllib.request.Request(url, data=data, headers=sent, method=method)
    try:
        with urllib.request.urlopen(request) as response:
            return dict(response.headers) if method == "HEAD" else _content(response)
    except urllib.error.HTTPError as error:
        answer = error.read().decode("utf-8", "replace")[:2000]
        raise RuntimeError(f"{method} {path}: {error.code} {error.reason}. {answer}") from None
`;
}

const content = `def _content(response):
    """The content of a response."""
    data = response.read()
    kind = response.headers.get_content_type()
    if not data:
        return None
    if kind == "application/json" or kind.endswith("+json"):
        return json.loads(data)
    if kind.startswith("text/") or kind.endswith("xml"):
        return data.decode(response.headers.get_content_charset("utf-8"), "replace")
    return data
`;

const path = `def _path(value, separator=",", named=False):
    """A value as a part of a path, in which it cannot lead elsewhere."""
    if isinstance(value, dict):
        pairs = [(_escaped(name), _escaped(each)) for name, each in value.items()]
        parts = ["=".join(pair) for pair in pairs] if named else [part for pair in pairs for part in pair]
    else:
        parts = [_escaped(each) for each in (value if isinstance(value, list) else [value])]
    written = separator.join(parts)
    if written in ("", ".", ".."):
        raise ValueError(f"{value!r} cannot be a part of a path")
    return written


def _escaped(value):
    """A value as text of an address."""
    return urllib.parse.quote(_text(value), safe="")
`;

const query = `def _query(name, value, style="multi"):
    """A parameter as parts of a query; none if it is None or \`...\`.

    The style "multi" gives a part for each item or member; so does "deep", which names a member
    \`name[key]\`. Any other style is the separator of the items in one part.
    """
    if value is None or value is ...:
        return []
    if isinstance(value, dict):
        if style == "deep":
            return [part for key, each in value.items() for part in _query(f"{name}[{key}]", each, style)]
        if style == "multi":
            return [part for key, each in value.items() for part in _query(key, each)]
        value = [part for pair in value.items() for part in pair]
    quoted = urllib.parse.quote(name, safe="[]")
    if not isinstance(value, list):
        return [f"{quoted}={urllib.parse.quote(_text(value), safe='')}"]
    items = [urllib.parse.quote(_text(each), safe="") for each in value]
    if style in ("multi", "deep"):
        return [f"{quoted}={item}" for item in items]
    return [f"{quoted}={style.join(items)}"]
`;

const form = `def _form(parts):
    """The parts of a query as a body."""
    return "&".join(parts).encode()
`;

const jsonBody = `def _json(value):
    """A value as a JSON body; \`...\` stands for no body."""
    return None if value is ... else json.dumps(value).encode()
`;

const given = `def _given(fields):
    """The fields that have a value; \`...\` stands for none."""
    return {name: value for name, value in fields.items() if value is not ...}
`;

const jsonText = `def _json_text(value):
    """A parameter as JSON; None and \`...\` stand for no value."""
    return value if value is None or value is ... else json.dumps(value)
`;

const encoded = `def _encoded(value):
    """A text as a body."""
    return None if value is ... else _text(value).encode()
`;

const decoded = `def _decoded(value):
    """The bytes of base64 text as a body."""
    return None if value is None else base64.b64decode(value)
`;

const multipart = `def _multipart(parts):
    """A body of named parts, and its type. Files are base64 text."""
    boundary = uuid.uuid4().hex
    body = b""
    for name, value, is_file in parts:
        if value is None or value is ...:
            continue
        for each in value if isinstance(value, list) else [value]:
            body += f'--{boundary}\\r\\nContent-Disposition: form-data; name="{name}"'.encode()
            if is_file:
                body += f'; filename="{name}"\\r\\nContent-Type: application/octet-stream'.encode()
            elif isinstance(each, dict):
                body += b"\\r\\nContent-Type: application/json"
            content = base64.b64decode(each) if is_file else _text(each).encode()
            body += b"\\r\\n\\r\\n" + content + b"\\r\\n"
    body += f"--{boundary}--\\r\\n".encode()
    return {"data": body, "content_type": f"multipart/form-data; boundary={boundary}"}
`;

const text = `def _text(value):
    """A value as text, as JSON writes it."""
    return value if isinstance(value, str) else json.dumps(value)
`;
