"""Make pictures with Chromium: figures that any drawing program can open, and cards for links to pages."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Template

from sccbook.site.takeaway import FOLDER
from tools.site.contents import article, number, settings

CARD = Path(__file__).with_name("card.html")
FLATTEN = """() => {
  const INHERITED = ["fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray",
    "stroke-linecap", "stroke-linejoin", "font-family", "font-size", "font-weight", "font-style", "text-anchor",
    "paint-order", "visibility", "white-space"];
  const OWN = ["opacity", "stop-color", "stop-opacity", "text-decoration-line", "dominant-baseline"];
  const HTML = "http://www.w3.org/1999/xhtml";
  const ink = document.createElementNS(HTML, "canvas").getContext("2d", { willReadFrequently: true });
  const plain = (name, value, styles) => {
    if (!/^(fill|stroke|stop-color)$/.test(name) || !/^(color|oklab|oklch|rgba)\\(/.test(value)) return [[name, value]];
    ink.clearRect(0, 0, 1, 1);
    ink.fillStyle = value;
    ink.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = ink.getImageData(0, 0, 1, 1).data;
    if (!a) return [[name, "none"]];
    const opacity = `${name.split("-")[0]}-opacity`;
    return [[name, `rgb(${r}, ${g}, ${b})`], [opacity, ((a / 255) * Number(styles[opacity] ?? 1)).toFixed(3)]];
  };
  const svg = document.documentElement;
  const usual = getComputedStyle(svg.appendChild(document.createElementNS(svg.namespaceURI, "g")));
  const first = Object.fromEntries(OWN.map((name) => [name, usual.getPropertyValue(name)]));
  const all = [svg, ...svg.querySelectorAll("*")].filter((e) => !e.matches("title, style") && e !== svg.lastChild);
  const styled = all.map((element) => {
    const styles = getComputedStyle(element);
    const above = element === svg ? null : getComputedStyle(element.parentElement);
    const names = [...INHERITED.filter((n) => above?.getPropertyValue(n) !== styles.getPropertyValue(n)),
      ...OWN.filter((n) => styles.getPropertyValue(n) !== first[n])];
    if (styles.display === "none") return "display:none";
    const pairs = names.flatMap((n) => plain(n, styles.getPropertyValue(n), styles));
    return pairs.map(([n, value]) => `${n}:${value}`).join(";");
  });
  all.forEach((element, i) => {
    element.removeAttribute("class");
    element.removeAttribute("style");
    if (styled[i]) element.setAttribute("style", styled[i]);
  });
  svg.lastChild.remove();
  for (const sheet of svg.querySelectorAll("style")) sheet.remove();
  return new XMLSerializer().serializeToString(svg);
}"""
"""Write what the styles come to into each element, since few programs know variables or mixed colours."""


def flatten(browser: Any, folder: Path) -> int:
    """Write each SVG file of a folder anew, in light colours and without a stylesheet; count them."""
    tab = browser.new_page(color_scheme="light")
    files = sorted(folder.glob("*.svg"))
    for file in files:
        tab.goto(file.resolve().as_uri())
        file.write_text(tab.evaluate(FLATTEN), encoding="utf-8")
    tab.close()
    return len(files)


def make_cards(browser: Any, site: Path, pages: Iterable[str]) -> None:
    """Write the picture that goes with a link to each page, into ``_cards``."""
    tab = browser.new_page(viewport={"width": 1200, "height": 630}, color_scheme="light")
    file, card = site / "_card.html", Template(CARD.read_text(encoding="utf-8"))
    for page in pages:
        text: Any = article(site, page)
        title = f"{number(page)} {text.h1.get_text().removesuffix('#')}".strip()
        figure = text.select_one("figure[data-figure]:has(.gl-more)")
        src = figure and f"{FOLDER}/{Path(page).name}-{figure['data-figure']}.svg"
        file.write_text(
            card.render(book=settings()["title"], title=title, src=src), encoding="utf-8"
        )
        tab.goto(file.resolve().as_uri())
        tab.screenshot(path=site / "_cards" / f"{page}.png")
    file.unlink()
    tab.close()
