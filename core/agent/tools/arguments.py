"""What a model sent, made to fit a tool's JSON Schema: numbers clamped, long texts cut, the rest validated."""

from collections.abc import Mapping

from core.domain.errors import ToolError
from core.domain.tool_use import ToolDefinition


def fitted(arguments: Mapping[str, object], tool: ToolDefinition) -> dict[str, object]:
    """Return the arguments that the schema names, with its defaults, within its bounds.

    Raises:
        ToolError: an argument is missing or of another kind; the text names it, for the model.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    properties = tool.parameters.get("properties")
    schemas = properties if isinstance(properties, Mapping) else {}
    meant = {name: _meant(arguments.get(name), schema) for name, schema in schemas.items()}
    fits = {name: value for name, value in meant.items() if value is not None}
    wrong = best_match(Draft202012Validator(tool.parameters).iter_errors(fits))
    if wrong is not None:
        missing = [name for name in schemas if name not in fits]
        name = str(next(iter(wrong.absolute_path), missing[0] if missing else ""))
        raise ToolError(f"{tool.name} needs `{name}`, {_kind(schemas.get(name, {}))}.")
    return fits


def _kind(schema: Mapping[str, object]) -> str:
    if schema.get("type") == "integer":
        return "a whole number"
    return "a text that is not empty" if schema.get("minLength") else "a text"


def _meant(value: object, schema: Mapping[str, object]) -> object:
    """Return a value within the bounds of its schema, or else the schema's default; None where it has none."""
    fitting = None if value is None else _within(value, schema)
    return schema.get("default") if fitting is None else fitting


def _within(value: object, schema: Mapping[str, object]) -> object:
    if schema.get("type") == "integer":
        return _whole_number(value, schema)
    longest = schema.get("maxLength")
    if isinstance(value, str) and isinstance(longest, int):
        return value[:longest]
    return value


def _whole_number(value: object, schema: Mapping[str, object]) -> object:
    """Return the number meant, within the bounds; a default stands in for what is no number at all."""
    try:
        number = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return schema.get("default", value)
    least, most = schema.get("minimum"), schema.get("maximum")
    if isinstance(least, int):
        number = max(number, least)
    if isinstance(most, int):
        number = min(number, most)
    return int(number)
