"""A page weighs what it asks for, and the next page what the one before it has not brought."""

from __future__ import annotations

from pathlib import Path

from tools.weights import weight, weights

PAGE = """<link rel="stylesheet" href="../_static/a.css?v=1"><link rel="icon" href="../icon.svg">
<script defer="defer" src="../_static/{script}.js?v=2"></script><img src="../_images/p.webp"/>
<img src="data:image/png;base64,xx"><noscript><img src="../_images/still.svg"></noscript>{more}"""


def site(root: Path) -> Path:
    for name in (
        "_static/a.css",
        "_static/x.js",
        "_static/y.js",
        "_static/maths.woff2",
        "_images/p.webp",
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(name * 40)
    (root / "_static/a.css").write_text('@import "b.css";a{b:c}')
    (root / "_static/b.css").write_text("d{e:f}")
    (root / "book").mkdir()
    (root / "book/one.html").write_text(PAGE.format(script="x", more=""))
    (root / "book/two.html").write_text(PAGE.format(script="y", more="<math><mi>x</mi></math>"))
    return root


def test_the_next_page_weighs_what_is_new(tmp_path: Path) -> None:
    root = site(tmp_path)
    found = weights(root, ["book/one.html", "book/two.html"])
    common = sum(
        weight(root / name) for name in ("_static/a.css", "_static/b.css", "_images/p.webp")
    )
    new = sum(weight(root / n) for n in ("book/two.html", "_static/y.js", "_static/maths.woff2"))
    assert found["book/one.html"][1] == 0
    assert found["book/two.html"] == (common + new, new)


def test_after_a_page_without_a_figure_the_one_before_it_counts_too(tmp_path: Path) -> None:
    root = site(tmp_path)
    (root / "_static/figure.js").write_text("figure" * 40)
    (root / "book/one.html").write_text(PAGE.format(script="figure", more=""))
    (root / "book/plain.html").write_text("<p>no figure</p>")
    (root / "book/two.html").write_text(PAGE.format(script="figure", more=""))
    names = [f"book/{name}.html" for name in ("one", "plain", "two")]
    found = weights(root, names)
    assert [found[name][1] for name in names[1:]] == [weight(root / name) for name in names[1:]]
