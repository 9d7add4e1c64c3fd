"""Tool files written to break the loader."""

HOSTILE = {
    "patches json": """\
import json
def f(): pass
json.dumps = json.loads = json.JSONEncoder.encode = json.JSONDecoder.decode = None
TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': f}]
""",
    "evil class": """\
class E:
    @property
    def __class__(self): raise RuntimeError('no class')
TOOL_SPECS = [E()]
""",
    "evil class for specs": """\
class E:
    __class__ = list
TOOL_SPECS = E()
""",
    "evil dict": """\
class D(dict):
    def __getattribute__(self, name): raise RuntimeError(name)
    def __iter__(self): raise RuntimeError
    def __len__(self): raise RuntimeError
    def items(self): raise RuntimeError
    def __contains__(self, key): raise RuntimeError
    def __getitem__(self, key): raise RuntimeError
TOOL_SPECS = [D(name='t:f', parameters=D(type='object'))]
""",
    "endless items": """\
class D(dict):
    def items(self):
        return [(str(i), D(a=1)) for i in range(3)]
TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': D(type='object'), 'handler': print}]
""",
    "evil list": """\
class L(list):
    def __iter__(self): raise RuntimeError
    def __len__(self): raise RuntimeError
TOOL_SPECS = L([1])
""",
    "evil str": """\
class S(str):
    def __eq__(self, other): raise RuntimeError
    def __hash__(self): raise RuntimeError
    def strip(self): raise RuntimeError
    def partition(self, x): raise RuntimeError
    def __str__(self): raise RuntimeError
TOOL_SPECS = [{'name': S('t:f'), 'description': S('d'), 'parameters': {'type': S('object')}, 'handler': print}]
""",
    "evil key": """\
class K:
    def __hash__(self): return hash('name')
    def __eq__(self, other): raise RuntimeError
TOOL_SPECS = [{K(): 1}]
""",
    "evil handler": """\
class H:
    def __getattribute__(self, name): raise RuntimeError(name)
    def __call__(self): pass
TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': H()}]
""",
    "evil signature": """\
def f(): pass
f.__signature__ = 3
TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': f}]
""",
    "circular wrappers": """\
def f(): pass
f.__wrapped__ = f
TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': f}]
""",
    "evil exception": """\
class E(BaseException):
    def __getattribute__(self, name): raise RuntimeError(name)
raise E
""",
    "evil metaclass": """\
class M(type):
    __name__ = property(lambda cls: 1 / 0)
class E(Exception, metaclass=M): pass
raise E
""",
    "deep value": """\
x = []
for _ in range(1_000): x = [x]
TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object', 'x': x}, 'handler': print, 'examples': [{'x': x}]}]
""",
    "deep entry": """\
x = []
for _ in range(1_000): x = [x]
TOOL_SPECS = [x]
""",
    "replaces itself": """\
import sys
class M:
    __file__ = __file__
    def __getattr__(self, name): raise RuntimeError(name)
sys.modules[__name__] = M()
""",
    "module getattr": """\
def __getattr__(name): raise RuntimeError(name)
""",
    "deletes itself": """\
import sys
del sys.modules[__name__]
""",
    "removes modules": """\
import sys
for name in ('json', 'traceback', 'linecache', 're', 'ast', 'difflib'): sys.modules.pop(name, None)
TOOL_SPECS = 3
""",
    "low recursion": """\
import sys
sys.setrecursionlimit(60)
TOOL_SPECS = 3
""",
    "traces": """\
import sys
def trace(*rest): raise RuntimeError
sys.settrace(trace)
TOOL_SPECS = 3
""",
    "moves away": """\
import os
os.chdir('/')
TOOL_SPECS = 3
""",
    "replaces streams": """\
import sys
sys.stdout = sys.stderr = sys.stdin = None
TOOL_SPECS = 3
""",
    "huge name": """\
TOOL_SPECS = [{'name': 't:' + 'x' * 10_000_000, 'description': 'x' * 10_000_000, 'parameters': {'type': 'object', 'x' * 1_000_000: 1}, 'handler': print, 'y' * 1_000_000: 1}]
""",
    "100,000 properties": """\
TOOL_SPECS = [{'name': 't:f', 'description': 'd', 'parameters': {'type': 'object', 'properties': {str(n): {} for n in range(100_000)}}, 'handler': print}]
""",
    "huge list": """\
TOOL_SPECS = [None] * 300_000
""",
    "lone surrogates": """\
TOOL_SPECS = [{'name': '\\ud800', 'description': '\\udc00', 'parameters': {'type': 'object', '\\ud800': 1}, 'handler': print, '\\ud800': 1}]
""",
}
