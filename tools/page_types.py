"""Writes the types of the API for the page's JavaScript, from the server's own OpenAPI description.

    python tools/page_types.py

They go to src/quartermaster/page/js/api.d.ts; a test says when they are no longer true.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

from quartermaster.server.app import create_app
from quartermaster.server.settings import Settings

OUT = Path(__file__).parent.parent / "src/quartermaster/page/js/api.d.ts"
HEAD = "// Made by tools/page_types.py from the server's OpenAPI description: do not edit.\n"
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}


def api_types() -> str:
    """All schemas of the API as TypeScript, sorted by name."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/none.db"
        app = create_app(Settings(database_url=url, secret=b"types"))
        schemas: dict[str, Any] = app.openapi_schema.to_schema()["components"]["schemas"]
    names = {
        key: schema.get("title", key).replace("[", "").replace("]", "")
        for key, schema in schemas.items()
    }
    texts = [_interface(names[key], schema, names) for key, schema in schemas.items()]
    return HEAD + "".join(f"\n{text}\n" for text in sorted(texts))


def _interface(name: str, schema: dict[str, Any], names: dict[str, str]) -> str:
    if "properties" not in schema:
        return f"export type {name} = {_type(schema, names)};"
    needed = schema.get("required", [])
    lines = [
        f"  {field}{'' if field in needed else '?'}: {_type(of, names)};"
        for field, of in schema["properties"].items()
    ]
    return "\n".join([f"export interface {name} {{", *lines, "}"])


def _type(schema: dict[str, Any], names: dict[str, str]) -> str:
    if "$ref" in schema:
        return names[schema["$ref"].rpartition("/")[2]]
    if "enum" in schema:
        return " | ".join("null" if one is None else f'"{one}"' for one in schema["enum"])
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(_type(one, names) for one in schema[several]))
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_type({**schema, "type": one}, names) for one in kind)
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(one, names) for one in schema['prefixItems'])}]"
        of = _type(schema.get("items", {}), names)
        return f"({of})[]" if " " in of else f"{of}[]"
    if kind == "object":
        value = schema.get("additionalProperties")
        return f"Record<string, {_type(value, names) if isinstance(value, dict) else 'any'}>"
    return PLAIN.get(kind or "", "any")


if __name__ == "__main__":
    OUT.write_text(api_types(), encoding="utf-8")
    sys.stdout.write(f"wrote {OUT.name}\n")
