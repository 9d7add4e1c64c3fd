"""`hashlib.pbkdf2_hmac` returns the same as OpenSSL's."""

import hashlib
import unittest

from cloche import password_hash
from cloche.password_hash import pbkdf2_hmac

# The expected values are those of RFC 6070 and RFC 7914.
KNOWN = (
    ("sha1", b"password", b"salt", 1, None, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
    ("sha1", b"password", b"salt", 2, None, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
    ("sha256", b"passwd", b"salt", 1, 16, "55ac046e56e3089fec1691c22544b605"),
)


class PasswordHashTest(unittest.TestCase):
    def setUp(self):
        password_hash.install()

    def test_gives_what_the_standards_say(self):
        for name, password, salt, iterations, length, expected in KNOWN:
            for function in (pbkdf2_hmac, hashlib.pbkdf2_hmac):
                self.assertEqual(function(name, password, salt, iterations, length).hex(), expected)

    def test_gives_what_hashlib_gives(self):
        for name in ("md5", "sha256", "sha512", "sha3_256"):
            for password in (b"", b"short", bytearray(b"x" * 200)):
                for iterations, length in ((1, None), (3, 5), (2, 150)):
                    with self.subTest(name=name, password=password, length=length):
                        given = (name, password, memoryview(b"salt"), iterations, length)
                        self.assertEqual(pbkdf2_hmac(*given), hashlib.pbkdf2_hmac(*given))

    def test_refuses_what_hashlib_refuses(self):
        for given in (
            ("sha256", b"p", b"s", 0),
            ("sha256", b"p", b"s", 1, 0),
            ("sha256", "p", b"s", 1),
            (b"sha256", b"p", b"s", 1),
            ("no such", b"p", b"s", 1),
        ):
            with self.subTest(given=given):
                self.assertRaises((TypeError, ValueError), pbkdf2_hmac, *given)
                self.assertRaises((TypeError, ValueError), hashlib.pbkdf2_hmac, *given)
