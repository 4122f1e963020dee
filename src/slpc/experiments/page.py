"""The page: one HTML file with everything in it, and the tables and figures as files beside it."""

from __future__ import annotations

import base64
import csv
import html
import io
import platform
from dataclasses import dataclass
from pathlib import Path

from slpc import __version__
from slpc.experiments import drawing
from slpc.experiments.section import Animation, Picture, Row, Section, Table, cell

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --soft: #5b6570; --line: #d9dee3; --back: #ffffff; --card: #f5f7f9;
  --accent: #b34700; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a3adb8; --line: #363d45; --back: #15181c;
  --card: #1e2328; --accent: #ff9d5c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
main, header { max-width: 1080px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 40px; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 12px; }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 56px 0 12px; padding-top: 16px; border-top: 1px solid var(--line); }
p { max-width: 75ch; }
a { color: var(--accent); }
code { background: var(--card); border-radius: 4px; padding: 1px 5px; font-size: 0.9em; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 6px 18px; margin: 20px 0; }
.run { color: var(--soft); font-size: 0.9rem; }
figure { margin: 28px 0; }
figure img { display: block; max-width: 100%; height: auto; background: #ffffff; border: 1px solid var(--line);
  border-radius: 8px; padding: 8px; }
figcaption { color: var(--soft); font-size: 0.92rem; margin: 8px 0; max-width: 85ch; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: 7px 9px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { background: var(--card); font-weight: 600; white-space: normal; vertical-align: bottom; }
tr:last-child td { border-bottom: 0; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 15ch; }
tr.ours td { font-weight: 600; }
@media (min-width: 800px) { th:first-child, td:first-child { min-width: 20ch; } }
footer { color: var(--soft); font-size: 0.9rem; margin: 56px 0 40px; }
"""


@dataclass(frozen=True)
class Chapter:
    """An experiment that has been run."""

    name: str
    section: Section
    seconds: float


def write(chapters: list[Chapter], out: Path, quick: bool) -> list[Path]:
    """Write the page and the files; return their paths, the page first."""
    written = [out / "index.html"]
    bodies = []
    for chapter in chapters:
        parts = []
        for part in chapter.section.parts:
            files = _files(part)
            for name, content in files.items():
                (out / name).write_bytes(content)
                written.append(out / name)
            parts.append(_shown(part, files))
        bodies.append(_chapter(chapter, parts, quick))
    written[0].write_text(_page(chapters, bodies, quick), encoding="utf-8")
    return written


def _files(part: Table | Picture | Animation) -> dict[str, bytes]:
    if isinstance(part, Table):
        return {f"{part.name}.csv": _csv(part.rows)}
    if isinstance(part, Animation):
        return {f"{part.name}.gif": part.gif}
    return {f"{part.name}.png": drawing.png(part.figure), f"{part.name}.svg": drawing.svg(part.figure)}


def _csv(rows: list[Row]) -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue().encode()


def _shown(part: Table | Picture | Animation, files: dict[str, bytes]) -> str:
    links = ", ".join(f'<a href="{name}">{name}</a>' for name in files)
    caption = f"<figcaption>{part.caption} ({links})</figcaption>"
    if isinstance(part, Table):
        return f'<figure>{caption}<div class="scroll">{_table(part.rows)}</div></figure>'
    (name, content), *_ = files.items()
    kind = name.rsplit(".", 1)[1]
    data = base64.b64encode(content).decode()
    return f'<figure><img alt="{part.name}" src="data:image/{kind};base64,{data}">{caption}</figure>'


def _table(rows: list[Row]) -> str:
    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows[0])
    body = "".join(
        f"<tr{_mark(row)}>" + "".join(f"<td>{html.escape(cell(value))}</td>" for value in row.values()) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _mark(row: Row) -> str:
    """Rows of our learner stand out among those of others."""
    return ' class="ours"' if str(row.get("method", "")).startswith("slpc") else ""


def _chapter(chapter: Chapter, parts: list[str], quick: bool) -> str:
    section = chapter.section
    command = f"slpc reproduce {chapter.name}" + (" --quick" if quick else "")
    run = f"<code>{command}</code>, {section.seeds}; {chapter.seconds:.0f} s"
    text = "".join(f"<p>{paragraph}</p>" for paragraph in section.text)
    return f'<h2 id="{chapter.name}">{section.title}</h2><p class="run">{run}</p>{text}{"".join(parts)}'


def _page(chapters: list[Chapter], bodies: list[str], quick: bool) -> str:
    nav = "".join(f'<a href="#{chapter.name}">{chapter.section.title}</a>' for chapter in chapters)
    note = "<p><b>A quick run:</b> few seeds and short streams. Leave out --quick for the real figures.</p>"
    machine = f"slpc {__version__}, Python {platform.python_version()}, {platform.machine()}"
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>slpc: the paper's experiments</title><style>{_STYLE}</style></head>
<body><header><h1>The paper's experiments</h1>
<p>Guedj and Li, <i>Sequential Learning of Principal Curves: Summarizing Data Streams on the Fly</i>, section 5, run
anew with slpc. Orange lines are slpc's in every figure, green ones princurve's; what the paper printed is marked as
the paper's.</p>
{note if quick else ""}<nav>{nav}</nav></header>
<main>{"".join(bodies)}
<footer>{machine}. {sum(chapter.seconds for chapter in chapters):.0f} s in all. Everything above was computed by this
run, but for what is marked as the paper's.</footer></main></body></html>
"""
