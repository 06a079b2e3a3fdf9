"""A book of pages that were made up, built once for the tests that read it."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from sccbook.notebook_form import METADATA, text_of

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
    ("# Clipping\n\n**How do you *limit* $g$?** Read `on`.", ""),
    ('<details class="objectives"><summary>You will</summary>\n\n- spread a gain\n\n</details>', ""),
    ("## A gain of one\n\nThe gain grows. A [gain](plain.md) and `gain` are left, **gain** too.", ""),
    ("*Aside.* A note of $x$ and `code`.\n\nIn two paragraphs.", "aside"),
    ("Cotangents and a vector-Jacobian product. A Jacobian, in *the\ntape*.\n\n- Tapes: see gains.", ""),
    ("A list:\n\n- first\n- last", ""),
    ("An aside on the list.", "aside"),
    ("By [Pascanu](http://arxiv.org/pdf/1211.5063v2) and [again](https://arxiv.org/abs/1211.5063).", ""),
    ("- [asked](https://www.example.org/questions/7/), and the "
     "[many](https://doi.org/10.1000/MANY)", ""),
    ("| [a table](https://example.org/tables) |\n|---|\n| gain |", ""),
    (TABS, "tabs"),
    ("**NumPy**, by hand\n\n```python\nnp.clip(g, -1, 1)\n```\n\n**`tf.gone`** was here. Now:\n\n"
     "```python\ntf.clip(g)\n```\n\n- Sonnet has none.", "rows"),
    ("Call `singular_values(a_b).forEach` or `SymlogRange`, `a<b && C`.", ""),
    ("## Sources\n\n- The spectral radius, [elsewhere](https://example.org/sources).", ""),
]  # fmt: skip
WRONG = [
    ("# Wrong\n\n", ""),
    ("Beside nothing.", "aside"),
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


def notebook(cells: list[tuple[str, str]]) -> str:
    """Return a chapter as a file's text: Markdown cells, each with a tag or none, and one of code."""
    made: list[Any] = [
        new_markdown_cell(text, metadata={"tags": [tag]} if tag else {}) for text, tag in cells
    ]
    return text_of(new_notebook(cells=[*made, new_code_cell("1")], metadata=METADATA))


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


@pytest.fixture(scope="session")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Build the book."""
    source = tmp_path_factory.mktemp("made_up")
    files = {
        "landing.md": "# A book\n\nOf <gains> and more.\n\n"
        "```{toctree}\n00_first\n01_clipping\nwrong\nplain\nbook/glossary\n```\n",
        "00_first.ipynb": notebook([("# First `one`", "")]),
        "01_clipping.ipynb": notebook(CHAPTER),
        "wrong.ipynb": notebook(WRONG),
        "plain.md": "# Plain\n\n" + "Many words. " * 40 + "\n\nOn "
        "[a work](https://arxiv.org/abs/1211.5063) and its gain.\n\n"
        ":::{container} tabs\n**PyTorch**\n\n    torch\n\n**JAX**\n\n    jax\n:::\n",
        "book/glossary.md": GLOSSARY,
        "book/references.bib": BIBLIOGRAPHY,
    }
    (source / "book").mkdir()
    (source / "book" / "theme").symlink_to(ROOT / "book" / "theme")
    for name, text in files.items():
        (source / name).write_text(text, encoding="utf-8")
    settings = {
        "extensions": ["myst_nb", "sphinx_book_theme", "sphinxcontrib.bibtex", "sccbook.site"],
        "bibtex_bibfiles": ["book/references.bib"],
        "exclude_patterns": ["out", "trees"],
        "html_theme": "sphinx_book_theme",
        "html_context": {"default_mode": "auto"},
        "html_show_search_summary": False,
        "html_title": "A book",
        "language": "en-GB",
        "myst_enable_extensions": ["colon_fence", "dollarmath"],
        "nb_execution_mode": "off",
        "root_doc": "landing",
    }
    with pytest.MonkeyPatch.context() as patch, patch_docutils(), docutils_namespace():
        patch.setenv("EXPLORAX_OUTPUT", "")  # which the build sets
        patch.setenv("JAX_PLATFORMS", "cpu")
        said = StringIO()
        out = source / "out"
        Sphinx(source, None, out, source / "trees", "html", settings, None, said).build()
    return Book(out, [line for line in said.getvalue().splitlines() if "WARNING" in line])


@pytest.fixture
def open_made_up(book: Book, open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Open a page of the book in a browser."""
    return lambda name, **options: open_page(book.url(name), **options)
