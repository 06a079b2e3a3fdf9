"""A book of pages that were made up, and what builds one."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from sccbook.notebook_form import METADATA, text_of
from sccbook.site.execution import KERNEL

ROOT = Path(__file__).parents[4]
TABS = """\
**JAX**

```python
jax.lax.stop_gradient(x)
```

**PyTorch**

```python
x.detach()
```

**Keras & co**

```text
keras.ops.stop_gradient(x)
```
"""
CHAPTER = [
    "# Clipping\n\n**How do you *limit* $g$?** Read `on`.",
    '<details class="objectives"><summary>You will</summary>\n\n- spread a gain\n\n</details>',
    "## A gain of one\n\nThe gain grows. A [gain](plain.md) and `gain` are left, **gain** too.",
    "Cotangents and a vector-Jacobian product. A Jacobian, in *the\ntape*.\n\n- Tapes: see gains.",
    "By [Pascanu](http://arxiv.org/pdf/1211.5063v2) and [again](https://arxiv.org/abs/1211.5063).",
    "- [asked](https://www.example.org/questions/7/), and the "
     "[many](https://doi.org/10.1000/MANY)",
    "| [a table](https://example.org/tables) |\n|---|\n| gain |",
    (TABS, "tabs"),
    ("**NumPy**, by hand\n\n```python\nnp.clip(g, -1, 1)\n```\n\n**`tf.gone`** was here. Now:\n\n"
     "```python\ntf.clip(g)\n```\n\n- Sonnet has none.", "rows"),
    "Call `singular_values(a_b).forEach` or `SymlogRange`, `a<b && C`.",
    "## Sources\n\n- The spectral radius, [elsewhere](https://example.org/sources).",
]  # fmt: skip
WRONG = [
    "# Wrong\n\n",
    ("**One**\n\n```python\nalone\n```", "tabs"),
    ("**A**\n\n```python\na\n```\n\n**B**\n\nno block", "tabs"),
    ("A\n\n```python\na\n```\n\n**B**\n\n```python\nb\n```", "tabs"),
    ("**A**\n\n```python\na\n```\n\n**A**\n\n```python\nb\n```", "tabs"),
    ("```python\na\n```\n\n**A**", "rows"),
]
GLOSSARY = """\
# Glossary

:::{glossary}
cotangent
  The gradient on its way, $\\bar h$.

  More of it.

gain
  Says `how` much it *grows*.

Jacobian
  A matrix.

spectral radius
  A rate.

tape
  A record.

vector-Jacobian product
  A product.
:::
"""
BIBLIOGRAPHY = r"""
@misc{three, author = {Pascanu, Razvan and Mikolov, Tom{\'a}{\v s} and Bengio, Yoshua},
  title = {On the {Difficulty}}, year = {2013}, note = {arXiv:1211.5063}}
@misc{many, author = {van Laarhoven, A. and B, B. and C, C. and D, D.},
  title = {Many}, year = {2017}, doi = {10.1000/many}}
@misc{asked, key = {Asked}, title = {What's Why?}, note = {Question 7}, year = {2019},
  url = {https://example.org/questions/7}}
@misc{tables, author = {T, T.}, title = {Tables}, year = {2001}, url = {https://example.org/tables}}
@misc{sources, author = {S, S.}, title = {Sources}, year = {2002}, url = {https://example.org/sources}}
"""


def code(source: str, *tags: str, printed: str = "", **more: Any) -> Any:
    """Return a cell of code with tags, and what it has printed."""
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    return new_code_cell(source, metadata={"tags": list(tags)}, **{"outputs": outputs} | more)


def notebook(cells: list[Any]) -> str:
    """Return a chapter as a file's text: its cells, Markdown as text or with a tag."""
    made: list[Any] = []
    for cell in cells:
        if isinstance(cell, str | tuple):
            text, *tags = (cell,) if isinstance(cell, str) else cell
            cell = new_markdown_cell(text, metadata={"tags": tags})
        made.append(cell)
    return text_of(new_notebook(cells=made, metadata=METADATA))


CELLS = [
    "# Cells",
    code("a_figure = 1\na_figure", "figure", printed="the figure"),
    code("import math\n\nset_up = 2", "set-up"),
    code("set_up += 1", "set-up"),
    "## Marks\n\nNot here.\n\nA *claim* with [a link](https://example.org).",
    code("assert one", "check"),
    code("assert two", "check"),
    "- first\n- last\n\n  of the last",
    code("assert of_the_list", "check"),
    code("print(3)", printed="three"),
    code("assert of_the_output", "check"),
    "| a |\n|---|\n| b |",
    code("assert of_the_table", "check"),
    "$$x = 1$$",
    code("assert of_the_formula", "check"),
    "(run-a-chapter)=\n## A heading",
    code("assert of_nothing", "check"),
    code("draw()\nmore()", "plot", printed="the plot"),
    code("assert of_the_plot", "check"),
    code("worked = 1", "solution"),
    code("worked += 1", "solution", printed="passed"),
    code("your_turn = 1", "exercise"),
    code("shown = 1"),
]


def build(
    source: Path, pages: Mapping[str, str], builder: str = "html", **settings: Any
) -> tuple[Path, list[str]]:
    """Build a book of pages; return the folder of what was built, and what was warned of.

    Its first page is its root. It has the real book's theme.
    """
    theme = source / "book" / "theme"
    theme.mkdir(parents=True, exist_ok=True)
    for file in (ROOT / "book" / "theme").iterdir():
        if not (theme / file.name).exists():
            shutil.copy(file, theme)
    for name, text in pages.items():
        (source / name).write_text(text, encoding="utf-8")
    settings = {
        "extensions": ["myst_nb", "sphinx_book_theme", "sphinxcontrib.bibtex", "sccbook.site"],
        "bibtex_bibfiles": ["book/references.bib"] if "book/references.bib" in pages else [],
        "exclude_patterns": ["_build"],
        "html_theme": "sphinx_book_theme",
        "html_context": {"default_mode": "auto"},
        "html_show_search_summary": False,
        "html_title": "A book & more",
        "language": "en-GB",
        "myst_enable_extensions": ["colon_fence", "dollarmath"],
        "nb_execution_mode": "off",
        "root_doc": next(iter(pages)).split(".")[0],
    } | settings
    out, said = source / "_build" / builder, StringIO()
    with pytest.MonkeyPatch.context() as patch, patch_docutils(), docutils_namespace():
        for name in KERNEL:
            patch.setenv(name, "")  # the build sets it, and here it's put back
        trees = source / "_build" / f"{builder}_trees"
        Sphinx(source, None, out, trees, builder, settings, None, said).build()
    return out, [line for line in said.getvalue().splitlines() if re.search("WARNING|ERROR", line)]


class Book:
    """The built book: ``folder`` has its pages, ``warnings`` what was said of them."""

    def __init__(self, folder: Path, warnings: list[str]) -> None:
        self.folder, self.warnings = folder, warnings

    def page(self, name: str) -> BeautifulSoup:
        """Return a page, to look into."""
        return BeautifulSoup(self.folder.joinpath(name).read_text("utf-8"), "html.parser")

    def url(self, name: str) -> str:
        """Return a page's address."""
        return self.folder.joinpath(name).as_uri()


PAGES = {
    "landing.md": "# A book & more\n\nOf <gains> and more.\n\n"
    "```{toctree}\n00_first\n01_clipping\nwrong\nplain\ncells\nbook/glossary\n```\n",
    "00_first.ipynb": notebook(["# First `one`", code("1")]),
    "01_clipping.ipynb": notebook([*CHAPTER, code("1")]),
    "wrong.ipynb": notebook([*WRONG, code("1")]),
    "plain.md": "# Plain\n\n" + "Many words. " * 40 + "\n\nOn "
    "[a work](https://arxiv.org/abs/1211.5063) and its gain.\n\n"
    ":::{container} tabs\n**PyTorch**\n\n    torch\n\n**JAX**\n\n    jax\n:::\n\n"
    "| a | b | c | d |\n|---|---|---|---|\n| 1 | 2 | 3 | 4 |\n",
    "cells.ipynb": notebook(CELLS),
    "book/glossary.md": GLOSSARY,
    "book/references.bib": BIBLIOGRAPHY,
}
