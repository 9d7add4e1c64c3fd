"""Tools that use the network, each in another way."""

import asyncio
import http.client
import json
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit


def get(url):
    with urllib.request.urlopen(url) as response:
        return response.read().decode()


def head(url):
    with urllib.request.urlopen(urllib.request.Request(url, method="HEAD")) as response:
        return [response.status, dict(response.headers), response.read().decode()]


def post(url, body, headers=None):
    request = urllib.request.Request(url, data=body.encode(), headers=headers or {}, method="POST")
    with urllib.request.urlopen(request) as response:
        return json.loads(response.read())


def plain(url):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
    connection.request("PUT", parts.path, body=iter([b"a", b"b"]), encode_chunked=True)
    response = connection.getresponse()
    return [response.status, response.reason, json.loads(response.read())["body"]]


def lines(url):
    seen = []
    started = time.monotonic()
    with urllib.request.urlopen(url) as response:
        for line in response:
            seen.append([line.decode().strip(), time.monotonic() - started])
    return seen


def size(url):
    total = 0
    with urllib.request.urlopen(url) as response:
        while piece := response.read(65_536):
            total += len(piece)
    return total


def impatient(url):
    urllib.request.urlopen(url, timeout=0.5).read()


def refused(url):
    """How a denial looks to a tool that expects one."""
    try:
        urllib.request.urlopen(url)
    except urllib.error.HTTPError as error:
        return [type(error).__name__, error.code, error.read().decode()]
    except urllib.error.URLError as error:
        return [type(error).__name__, type(error.reason).__name__, str(error.reason)]


async def fetch(url):
    from pyodide.http import pyfetch

    response = await pyfetch(url)
    return [response.status, await response.text()]


async def fetch_post(url, body):
    from pyodide.http import pyfetch

    response = await pyfetch(url, method="POST", body=body, headers={"X-Own": "1"})
    return await response.json()


async def fetch_refused(url):
    from pyodide.http import pyfetch

    try:
        await pyfetch(url)
    except OSError as error:
        return str(error)


async def js_fetch_refused(url):
    import js
    from pyodide.ffi import JsException

    try:
        await js.fetch(url)
    except JsException as error:
        return str(error)


async def bridge(requests):
    """Sends the bridge's own messages, like code that bypasses every library; returns each answer or denial."""
    from cloche.asking import ask

    ordinary = {"ask": "fetch", "method": "GET", "headers": [], "body": None, "timeoutMs": None}
    answers = []
    for request in requests:
        try:
            answers.append((await ask({**ordinary, **request}))["status"])
        except Exception as error:
            answers.append(f"{type(error).__name__}: {error}")
    return answers


async def many(urls, count):
    from pyodide.http import pyfetch

    asked = (pyfetch(f"{urls[n % len(urls)]}?n={n}") for n in range(count))
    answers = await asyncio.gather(*asked, return_exceptions=True)
    return sum(1 for answer in answers if not isinstance(answer, BaseException))


def upload(url, size):
    with urllib.request.urlopen(urllib.request.Request(url, data=bytes(size))) as response:
        return response.status


def opened(url):
    from pyodide.http import open_url

    return open_url(url).read()


def allowed(context):
    return list(context["sandbox"]["network"])


def _spec(handler, *names):
    parameters = {"type": "object", "properties": {name: {} for name in names}}
    return {
        "name": f"net:{handler.__name__}",
        "description": "Sends a request.",
        "parameters": parameters,
        "handler": handler,
        "timeout_s": 60,
    }


TOOL_SPECS = [
    *(_spec(one, "url") for one in (get, head, plain, lines, size, impatient, refused, opened)),
    *(_spec(one, "url") for one in (fetch, fetch_refused, js_fetch_refused)),
    _spec(bridge, "requests"),
    _spec(post, "url", "body", "headers"),
    _spec(fetch_post, "url", "body"),
    _spec(many, "urls", "count"),
    _spec(upload, "url", "size"),
    _spec(allowed),
    # Requests that never end use a shorter limit, so that the test does not wait for the full one.
    {**_spec(size, "url"), "name": "net:size_soon", "timeout_s": 3},
]
