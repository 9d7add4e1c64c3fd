"""An MCP server with FastMCP: the same file runs as a server and, in Cloche, as a folder of tools."""

from fractions import Fraction
from typing import Annotated

from fastmcp import Context, FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("Recipes")


class Ingredient(BaseModel):
    name: str
    amount: float = Field(gt=0, description="In the given unit")
    unit: str = "g"


@mcp.tool
async def scale_recipe(
    ingredients: list[Ingredient],
    servings: Annotated[int, Field(ge=1, description="Servings that the recipe is for")],
    wanted: Annotated[int, Field(ge=1, description="Servings that you want")],
    ctx: Context,
) -> list[Ingredient]:
    """Scale the ingredients of a recipe to another number of servings."""
    factor = wanted / servings
    scaled = []
    for index, one in enumerate(ingredients, 1):
        scaled.append(one.model_copy(update={"amount": round(one.amount * factor, 2)}))
        await ctx.report_progress(index, len(ingredients))
    await ctx.info(f"Scaled by {factor:g}")
    return scaled


@mcp.tool(annotations={"readOnlyHint": True})
def as_cups(millilitres: float) -> str:
    """Write a volume in cups, in quarters, as recipes do."""
    quarters = Fraction(round(millilitres / 240 * 4), 4)
    whole, rest = divmod(quarters, 1)
    parts = [str(whole)] if whole or not rest else []
    return " ".join([*parts, *([str(rest)] if rest else []), "cup" if quarters == 1 else "cups"])


if __name__ == "__main__":
    mcp.run()
