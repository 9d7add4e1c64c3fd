"""Arguments that do not fit are rejected with Python's message, before the body runs; then come the schema's errors."""

from .host import HostCase, text_of

CODE = """
import functools
ran = []

def plain(location, days=1, *, unit="c"):
    ran.append("plain")
    return [location, days, unit]

def positional(a, /, b): ran.append("positional")
def rest(a, *args, **more):
    ran.append("rest")
    return more
def nothing(): ran.append("nothing")
async def asynchronous(a): ran.append("async")
def generator(a):
    ran.append("generator")
    yield a
async def async_generator(a):
    ran.append("async generator")
    yield a

class Box:
    def method(self, a): ran.append("method")
    @classmethod
    def of_class(cls, a): ran.append("class method")
    @staticmethod
    def static(a): ran.append("static method")
    def __call__(self, a): ran.append("call")

box = Box()
method, of_class, static = box.method, Box.of_class, Box.static
part = functools.partial(plain, days=3)
placed = functools.partial(plain, "Oslo")
part_method = functools.partial(box.method)

@functools.lru_cache
def cached(a): ran.append("cached")

def make():
    def inner(a): ran.append("inner")
    return inner
inner = make()

class Built:
    def __init__(self, a): ran.append("built")

def state(): return ran
"""
FUNCTIONS = (
    "plain positional rest nothing asynchronous generator async_generator box method of_class static part placed "
    "part_method cached inner Built state"
).split()


class SignatureTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(CODE, *FUNCTIONS)

    def check(self, name, arguments, error):
        result = self.host.call(f"t:{name}", arguments)
        self.assertEqual((result["ok"], result["error"]), (False, f"TypeError: {error}"))
        self.assertEqual(result["frames"], [])
        self.assertEqual(result["traceback"], f"TypeError: {error}\n")

    def test_is_worded_as_python_words_it(self):
        for name, arguments, error in (
            ("plain", {}, "plain() missing 1 required positional argument: 'location'"),
            ("plain", {"location": "x", "town": 1}, "plain() got an unexpected keyword argument 'town'"),
            ("nothing", {"a": 1}, "nothing() got an unexpected keyword argument 'a'"),
            ("asynchronous", {}, "asynchronous() missing 1 required positional argument: 'a'"),
            ("generator", {}, "generator() missing 1 required positional argument: 'a'"),
            ("async_generator", {"b": 1}, "async_generator() got an unexpected keyword argument 'b'"),
            ("method", {}, "Box.method() missing 1 required positional argument: 'a'"),
            ("method", {"self": 1, "a": 1}, "Box.method() got multiple values for argument 'self'"),
            ("of_class", {}, "Box.of_class() missing 1 required positional argument: 'a'"),
            ("static", {}, "Box.static() missing 1 required positional argument: 'a'"),
            ("box", {}, "Box.__call__() missing 1 required positional argument: 'a'"),
            ("part", {}, "plain() missing 1 required positional argument: 'location'"),
            ("placed", {"location": "x"}, "plain() got multiple values for argument 'location'"),
            ("part_method", {}, "Box.method() missing 1 required positional argument: 'a'"),
            ("cached", {}, "cached() missing 1 required positional argument: 'a'"),
            ("inner", {}, "make.<locals>.inner() missing 1 required positional argument: 'a'"),
            ("Built", {}, "Built.__init__() missing 1 required positional argument: 'a'"),
            ("rest", {}, "rest() missing 1 required positional argument: 'a'"),
        ):
            with self.subTest(name=name, arguments=arguments):
                if name == "Built":  # no signature: the call itself raises
                    self.assertEqual(self.host.call("t:Built")["error"], f"TypeError: {error}")
                else:
                    self.check(name, arguments, error)

    def test_a_check_alone_refuses_as_the_call_does_and_runs_nothing(self):
        host = self.host
        for arguments, errors in (({"place": "Oslo"}, ""), ({"location": 1}, [{"path": "$.location", "message": "no"}])):
            refused = host.check("t:plain", arguments, errors)
            called = host.call("t:plain", arguments, errors)
            self.assertFalse(refused["ok"])
            for key in ("error", "message"):
                self.assertEqual(refused[key], called[key])
        passed = host.check("t:plain", {"location": "Oslo"})
        self.assertEqual((passed["ok"], text_of(passed)), (True, "null"))
        self.assertEqual(text_of(host.call("t:state")), "[]")

    def test_is_exactly_the_error_of_the_call_itself(self):
        import t

        for name in ("plain", "positional", "rest", "nothing", "method", "box", "part", "placed", "inner"):
            for arguments in (
                {},
                {"a": 1},
                {"b": 2},
                {"x": 1, "y": 2},
                {"unit": "f"},
                {"location": "x", "self": 1},
            ):
                with self.subTest(name=name, arguments=arguments):
                    try:
                        getattr(t, name)(**arguments)
                    except TypeError as error:
                        self.check(name, arguments, str(error))
                    else:
                        self.assertTrue(self.host.call(f"t:{name}", arguments)["ok"])

    def test_no_body_runs_where_the_arguments_do_not_fit(self):
        for name in FUNCTIONS[:-1]:
            if name != "Built":
                self.assertFalse(
                    self.host.call(f"t:{name}", {"unheard_of": 1, "of": 2})["ok"] and name != "rest", name
                )
        self.assertEqual(text_of(self.host.call("t:state")), "[]")

    def test_tells_the_model_what_the_tool_takes(self):
        parameters = "{'type': 'object', 'properties': {'a': {}, 'b': {}}, 'required': ['a']}"
        host = self.open(f"""
def f(a, b=1): return 1
TOOL_SPECS = [{{"name": "t:f", "description": "d", "parameters": {parameters}, "handler": f}}]
""")
        message = host.call("t:f", {"c": 1})["message"]
        self.assertIn("It takes: a (required), b.", message)

    def test_the_signature_comes_before_the_schema(self):
        errors = [{"path": "$.location", "message": "must be string"}]
        result = self.host.call("t:plain", {"town": 1}, errors)
        self.assertTrue(result["error"].startswith("TypeError: plain()"), result["error"])

    def test_a_type_error_does_not_hide_what_else_is_invalid(self):
        errors = [
            {"path": "$.location", "message": "is required"},
            {"path": "$.town", "message": "is not a declared property"},
            {"path": "$.days", "message": "must be at most 7"},
        ]
        result = self.host.call("t:plain", {"days": 9}, errors[::2])
        self.assertEqual(
            result["traceback"],
            "TypeError: plain() missing 1 required positional argument: 'location'\n"
            "Also invalid: $.days: must be at most 7\n",
        )
        self.assertIn("$.days: must be at most 7\nThe tool was not run.", result["message"])
        named = self.host.call("t:plain", {"town": 1, "location": "x"}, errors[1:2])
        self.assertEqual(
            named["traceback"], "TypeError: plain() got an unexpected keyword argument 'town'\n"
        )

    def test_schema_errors_list_every_path_and_no_body_runs(self):
        errors = [
            {"path": "$.location", "message": "must be string"},
            {"path": "$.days", "message": "must be at most 7"},
        ]
        result = self.host.call("t:plain", {"location": 1, "days": 9}, errors)
        self.assertEqual(
            result["error"], "ValidationError: $.location: must be string; $.days: must be at most 7"
        )
        self.assertEqual(text_of(self.host.call("t:state")), "[]")

    def test_arguments_that_fit_go_in(self):
        self.assertEqual(text_of(self.host.call("t:part", {"location": "x"})), '["x", 3, "c"]')
        self.assertEqual(text_of(self.host.call("t:rest", {"a": 1, "z": 2})), '{"z": 2}')


class WrappedTest(HostCase):
    def test_a_decorated_handler_is_checked_by_what_is_called(self):
        host = self.open_tools(
            """
import functools
def injecting(function):
    @functools.wraps(function)
    def wrapper(**more): return function("injected", **more)
    return wrapper
@injecting
def f(token, a): return [token, a]
""",
            "f",
        )
        self.assertEqual(text_of(host.call("t:f", {"a": 1})), '["injected", 1]')
        self.assertEqual(
            host.call("t:f")["error"], "TypeError: f() missing 1 required positional argument: 'a'"
        )
