/** A small tool file that computes something, and draws it. */

export const exampleFile = 'savings.py';

export const exampleName = 'savings:savings_chart';

export const exampleTool = `def savings_chart(monthly: float, years: int, rate: float = 4, *, context):
    """Draws how monthly savings grow with interest."""
    balance, balances = 0.0, []
    for _ in range(years):
        for _ in range(12):
            balance = (balance + monthly) * (1 + rate / 1200)
        balances.append(balance)
    width, bars = 480 / years, ""
    for year, value in enumerate(balances):
        paid = monthly * 12 * (year + 1)
        for amount, color in (value, "#5aa9b5"), (paid, "#0f6674"):
            height = amount / balance * 200
            bars += (f'<rect x="{year * width:.0f}" y="{200 - height:.0f}" '
                     f'width="{width - 3:.0f}" height="{height:.0f}" fill="{color}"/>')
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="480" height="200">{bars}</svg>'
    text = f"{balance:,.0f} after {years} years, of which {balance - paid:,.0f} is interest."
    picture = {"type": "image", "mediaType": "image/svg+xml", "data": svg.encode()}
    return context.result([picture, text])

TOOL_SPECS = [
    {
        "name": "savings:savings_chart",
        "label": "Savings chart",
        "description": "Draws how monthly savings grow with interest.",
        "parameters": {
            "type": "object",
            "properties": {
                "monthly": {"type": "number", "description": "Saved each month"},
                "years": {"type": "integer", "description": "Years of saving", "minimum": 1, "maximum": 60},
                "rate": {"type": "number", "description": "Percent a year", "default": 4},
            },
            "required": ["monthly", "years"],
        },
        "examples": [{"monthly": 200, "years": 20, "rate": 4}],
        "handler": savings_chart,
    },
]
`;
