"""A picture of the flat map, to look at."""

from typing import Any

from flat_map.places import LINE, RADIUS, name_lines


def preview(data: dict[str, Any], edition: str) -> str:
    """A picture of everything in the file, to look at."""
    width, height = data["box"]
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Open Sans, sans-serif" font-size="12" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" fill="#e3e9ec"/>',
        f'<path d="{data["scenery"]}" fill="#d5d6d0" fill-rule="evenodd"/>',
    ]
    spaces = sorted(data["spaces"].items(), key=lambda item: item[1]["kind"] == "land")
    for i, (_, space) in enumerate(spaces):
        path = space["path"] if isinstance(space["path"], str) else space["path"][edition]
        if space["kind"] == "sea":
            fill, stroke = f"hsl({200 + i % 3 * 5} 38% {76 + i % 4 * 2}%)", "#fff"
        else:
            fill, stroke = f"hsl({36 + i * 7 % 60} {24 + i % 3 * 6}% {76 + i % 4 * 2}%)", "#776f60"
        out.append(
            f'<path d="{path}" fill="{fill}" fill-rule="evenodd" stroke="{stroke}" '
            'stroke-width="1.2" stroke-linejoin="round"/>'
        )
    for space in data["spaces"].values():
        for n, (x, y) in enumerate(space["slots"]):
            out.append(
                f'<circle cx="{x}" cy="{y}" r="{RADIUS * space["size"]}" fill="#556" '
                f'fill-opacity="{0.75 - n * 0.09:.2f}"/>'
                f'<text x="{x}" y="{y + 4}" fill="#fff" font-size="10">{n + 1}</text>'
            )
    for name, space in data["spaces"].items():
        x, y = space["label"]
        lines = name_lines(name)
        for n, line in enumerate(lines):
            out.append(
                f'<text x="{x}" y="{y + 4 + LINE * (n - (len(lines) - 1) / 2)}">{line}</text>'
            )
    for x, y in data["stars"].values():
        out.append(f'<text x="{x}" y="{y + 7}" font-size="24" fill="#b8860b">\u2605</text>')
    for strait in data["straits"]:
        x, y = strait["at"]
        out.append(f'<text x="{x}" y="{y + 6}" font-size="18" fill="#234">\u2693</text>')
        for (x1, y1), (x2, y2) in strait["arrows"]:
            out.append(
                f'<path d="M{x1} {y1}L{x2} {y2}" stroke="#234" stroke-width="2.5"/>'
                f'<circle cx="{x2}" cy="{y2}" r="3" fill="#234"/>'
            )
    for pointer in data["pointers"]:
        x, y = pointer["at"]
        arrow = "\u25c0" if pointer["side"] == "left" else "\u25b6"
        out.append(f'<text x="{x}" y="{y + 6}" font-size="16" fill="#a33">{arrow}</text>')
    return "\n".join([*out, "</svg>"])
