/** A tool file whose results are HTML, a data frame, a text with several lines, and progress. */

export const resultsSource = `
import time

class Report:
    def _repr_html_(self): return "<table><tr><td>cell</td></tr></table><script>top.taken = 1</script>"

class RangeIndex: pass

class Frame:
    columns, index = ["city", "low"], RangeIndex()
    def __len__(self): return 2
    def _repr_html_(self): return ""
    def to_dict(self, orient): return [{"city": "Oslo", "low": 1.0}, {"city": "Rome", "low": float("nan")}]

def report(): return Report()

def frame(): return Frame()

def steps():
    for step in range(1, 4):
        yield {"progress": step, "total": 4, "message": f"File {step}"}
        time.sleep(0.3)
    time.sleep(30)

def spec(function, **more):
    schema = {"type": "object", "properties": {}}
    return {"name": f"shown:{function.__name__}", "description": "d", "parameters": schema, "handler": function, **more}

def lines(city): return f"Forecast\\n{city}\\nuntil noon"

row = {"type": "object", "properties": {"low": {"type": "number"}}}
TOOL_SPECS = [spec(report), spec(frame, returns={"type": "array", "items": row}), spec(steps), spec(lines, parameters={"type": "object", "properties": {"city": {"type": "string", "description": "City"}}, "required": ["city"]})]
`;
