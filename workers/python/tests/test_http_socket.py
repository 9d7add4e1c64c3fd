"""The network as tools see it: urllib and http.client over a page that answers at once."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import ssl
import urllib.error
import urllib.request

from cloche import http_socket
from cloche.http_request import parse_request
from cloche.http_xhr import XMLHttpRequest
from cloche.streams import sink
from cloche.tls import wrap_socket

from .test_asking import AskingCase

URL = "http://api.example.com:8080/a?b=c"


class Call:
    """Stands in for the output of the call whose code runs."""

    call_id = 7
    closed = False


def head(status: int = 200, *headers: tuple[str, str], reason: str = "OK") -> dict:
    return {
        "answer": "response",
        "request": 1,
        "status": status,
        "statusText": reason,
        "headers": list(headers),
        "url": URL,
    }


END = {"answer": "end", "request": 1}


class TestHttpSocket(AskingCase):
    def setUp(self) -> None:
        kept = (socket.socket, socket.getaddrinfo)
        http_socket.install()
        token = sink.set(Call())

        def put_back() -> None:
            sink.reset(token)
            socket.socket, socket.getaddrinfo = kept

        self.addCleanup(put_back)

    def test_a_page_is_read(self):
        page = self.page(head(200, ("Content-Type", "text/plain"), ("X-Odd", "ä")), b"hel", b"lo", END)
        with urllib.request.urlopen(URL) as response:
            self.assertEqual(response.read(), b"hello")
            self.assertEqual((response.status, response.reason), (200, "OK"))
            self.assertEqual(response.headers["x-odd"], "ä")
        call, asked = page.asked[0]
        self.assertEqual((call, asked["url"], asked["method"], asked["body"]), (7, URL, "GET", None))
        self.assertEqual([asked["ask"] for _, asked in page.asked], ["fetch", "read", "read", "read"])

    def test_lines_come_with_their_pieces(self):
        page = self.page(head(), b"one\ntw", b"o\n", END)
        with urllib.request.urlopen(URL) as response:
            self.assertEqual(response.readline(), b"one\n")
            self.assertEqual(len(page.asked), 2)
            self.assertEqual(list(response), [b"two\n"])

    def test_what_is_not_read_is_given_up(self):
        page = self.page(head(), b"x" * 100_000, END)
        with urllib.request.urlopen(URL) as response:
            response.read(1)
        self.assertEqual(page.asked[-1], (7, {"ask": "close", "request": 1}))

    def test_a_body_is_sent(self):
        large = b"\x00\xff" * 1_000_000
        for data, sent in [(large, large), (iter([b"a", b"b"]), b"ab")]:
            page = self.page(head(), END)
            headers = {} if isinstance(data, bytes) else {"Transfer-Encoding": "chunked"}
            urllib.request.urlopen(urllib.request.Request(URL, data, headers, method="PUT")).read()
            self.assertEqual(base64.b64decode(page.asked[0][1]["body"]), sent)

    def test_no_body_is_asked_for_where_there_is_none(self):
        for method, status in [("HEAD", 200), ("GET", 204), ("DELETE", 304)]:
            page = self.page(head(status, ("Content-Length", "12"), reason=""))
            connection = http.client.HTTPConnection("api.example.com", 8080)
            connection.request(method, "/")
            response = connection.getresponse()
            self.assertEqual((response.status, response.read()), (status, b""))
            self.assertNotIn("read", [asked["ask"] for _, asked in page.asked])

    def test_what_the_browser_has_undone_is_not_told(self):
        self.page(head(200, ("Content-Encoding", "gzip"), ("Content-Length", "3")), b"hello", END)
        with urllib.request.urlopen(URL) as response:
            self.assertEqual(response.read(), b"hello")
            self.assertNotIn("content-length", response.headers)

    def test_a_refusal_reaches_the_tool_as_elsewhere(self):
        self.page({"answer": "refused", "request": 1, "error": "PermissionError", "message": "not api.example.com"})
        with self.assertRaisesRegex(urllib.error.URLError, "not api.example.com") as caught:
            urllib.request.urlopen(URL)
        self.assertIsInstance(caught.exception.reason, PermissionError)

    def test_a_timeout_is_one(self):
        page = self.page({"answer": "refused", "request": 1, "error": "TimeoutError", "message": "late"})
        with self.assertRaises((TimeoutError, urllib.error.URLError)):
            urllib.request.urlopen(URL, timeout=1.5)
        self.assertEqual(page.asked[0][1]["timeoutMs"], 1_500)

    def test_an_error_status_is_one(self):
        self.page(head(404, reason="Not Found"), b"gone", END)
        with self.assertRaises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(URL)
        self.assertEqual((caught.exception.code, caught.exception.read()), (404, b"gone"))

    def test_a_broken_connection_is_an_error(self):
        broken = {"answer": "refused", "request": 1, "error": "ConnectionError", "message": "broke off"}
        self.page(head(), b"hel", broken)
        with urllib.request.urlopen(URL) as response, self.assertRaisesRegex(ConnectionError, "broke off"):
            response.read()

    def test_a_thousand_headers_and_ten_megabytes(self):
        many = [(f"X-{number}", "1") for number in range(90)]
        self.page(head(200, *many), *[b"x" * 250_000] * 40, END)
        with urllib.request.urlopen(URL) as response:
            self.assertEqual(len(response.read()), 10_000_000)

    def test_nothing_but_http(self):
        page = self.page(head(), END)
        for sent in [b"EHLO me\r\n", b"", b"GET /\r\n\r\n", b"GET http://x/ HTTP/1.1\r\n\r\n", b"\x16\x03\x01"]:
            with socket.create_connection(("api.example.com", 25)) as connection:
                with self.assertRaises(OSError):
                    connection.sendall(sent)
                    connection.recv(1)
        self.assertEqual(page.asked, [])

    def test_the_connection_decides_where_a_request_goes(self):
        page = self.page(head(), END)
        urllib.request.urlopen(urllib.request.Request(URL, headers={"Host": "evil.example"})).read()
        self.assertEqual(page.asked[0][1]["url"], URL)

    def test_addresses_of_the_sixth_version(self):
        page = self.page(head(), END)
        urllib.request.urlopen("http://[2001:db8::1]:81/x").read()
        self.assertEqual(page.asked[0][1]["url"], "http://[2001:db8::1]:81/x")

    def test_tls_is_the_browsers(self):
        page = self.page(head(), END)
        with socket.create_connection(("api.example.com", 443)) as connection:
            connection.tls = True
            connection.sendall(b"GET / HTTP/1.1\r\nHost: api.example.com\r\n\r\n")
            self.assertTrue(connection.recv(100).startswith(b"HTTP/1.1 200 OK\r\n"))
        self.assertEqual(page.asked[0][1]["url"], "https://api.example.com:443/")

    def test_a_wrapped_socket_names_the_host_that_the_browser_verifies(self):
        context = ssl.create_default_context()
        wrapped = wrap_socket(context, socket.socket(), server_hostname="api.example.com")
        self.assertTrue(wrapped.tls)
        self.assertEqual(wrapped.getpeercert()["subjectAltName"], (("DNS", "api.example.com"),))
        by_number = wrap_socket(context, socket.socket(), server_hostname="192.0.2.1")
        self.assertEqual(by_number.getpeercert()["subjectAltName"], (("IP Address", "192.0.2.1"),))
        with self.assertRaisesRegex(OSError, "does not expose"):
            wrapped.getpeercert(binary_form=True)
        with self.assertRaisesRegex(OSError, "servers are not supported"):
            wrap_socket(context, socket.socket(), server_side=True)

    def test_another_call_cannot_read_on(self):
        self.page(head(), b"x", END)
        response = urllib.request.urlopen(URL)
        other = Call()
        other.call_id = 8
        token = sink.set(other)
        with self.assertRaisesRegex(ConnectionError, "has ended"):
            response.read()
        sink.reset(token)

    def test_a_synchronous_xhr(self):
        page = self.page(head(200, ("A", "b")), "é".encode(), END)
        xhr = XMLHttpRequest.new()
        xhr.open("POST", URL, False)
        xhr.setRequestHeader("X", "1")
        xhr.send("ä")
        self.assertEqual((xhr.status, xhr.responseText, xhr.getAllResponseHeaders()), (200, "é", "A: b\r\n"))
        self.assertEqual(json.loads(json.dumps(page.asked[0][1]["headers"])), [["X", "1"]])
        with self.assertRaises(NotImplementedError):
            xhr.open("GET", URL, True)

    def test_an_array_is_sent_and_received_by_xhr(self):
        class Array:
            def to_bytes(self) -> bytes:
                return b"\0\xff"

        page = self.page(head(200), b"\1\2", END)
        xhr = XMLHttpRequest.new()
        xhr.responseType = "arraybuffer"
        xhr.open("POST", URL, False)
        xhr.send(Array())
        self.assertEqual(xhr.response.to_py().tobytes(), b"\1\2")
        self.assertEqual(page.asked[0][1]["body"], "AP8=")


class TestParsing(AskingCase):
    def test_chunks_are_put_together(self):
        head_ = b"POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        parsed = parse_request(head_ + b"3;x=1\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        self.assertEqual((parsed.method, parsed.target, parsed.body), ("POST", "/a", b"abcde"))

    def test_half_a_request_is_refused(self):
        for data in [
            b"POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nab",
            b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nx\r\nab\r\n0\r\n\r\n",
            b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        ]:
            with self.assertRaises(ConnectionError):
                parse_request(data)
