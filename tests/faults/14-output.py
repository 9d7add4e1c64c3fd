# Output past sys.stdout, and a stream that is left replaced. Expected: all of it is shown, and the next call prints.
import io, os, sys
def own():
    print("to sys.__stdout__", file=sys.__stdout__, flush=True); return "ok"
def descriptor():
    os.write(1, b"fd 1\n"); os.write(2, b"fd 2\n"); return "ok"
def swap():
    sys.stdout = io.StringIO(); return "ok"
def after():
    print("visible?"); return "ok"
TOOL_SPECS = [{"name": f"14-output:{f.__name__}", "description": "d", "parameters": {"type": "object", "properties": {}}, "handler": f} for f in (own, descriptor, swap, after)]
