"""Cut the book's maths font out of STIX Two Math: ``python -m tools.maths_font``.

The part is kept in the repository: what builds the book needs neither the whole font nor what cuts
it. The whole is there after ``npm ci`` in packages/explorax/src/explorax/frontend.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates

FRONTEND = Path(__file__).parents[1] / "packages" / "explorax" / "src" / "explorax" / "frontend"
WHOLE = FRONTEND.joinpath(
    "node_modules/@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"
)
PART = FRONTEND / "src" / "fonts" / "maths.woff2"

RANGES = (
    (0x20, 0x7E),  # ASCII
    (0x3B1, 0x3C9),  # Greek, which is upright in words
    (0x1D434, 0x1D467),  # italic letters: a letter alone is shown as one of these
    (0x1D6E2, 0x1D71B),  # italic Greek
    (0x1D7CE, 0x1D7D7),  # bold digits
    (0x1D68A, 0x1D6A3),  # small typewriter letters
)
SIGNS = "¬°±²³¹·×÷¯ˆ˙˜ΓΔΘΛΞΠΣΦΨΩϑϕϱϵ–—‖‘’“”…′″⁰⁴⁵⁶⁷⁸⁹⁻ℎℓℝ∂∇∈∏∑−∗∘√∝∞∣∧∨∼≃≈≔≠≡≤≥≪≫⊙⊤⊥⋅⋮⋯⋱←→↦⇒⟨⟩⏟"

DROP = 386
"""Of Computer Modern's superscripts, in thousandths."""


def characters() -> set[int]:
    """Return what the part can show: what the book needs today, and its neighbours."""
    ranged = {code for first, last in RANGES for code in range(first, last + 1)}
    return ranged | set(map(ord, SIGNS))


def narrow_radicals(font: Any) -> None:
    """Make the tall signs of the square root as wide as the small one.

    Chromium leaves room after a root for the widest of them, whichever it draws.
    """
    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord("√")]
    made = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    tall = [record.VariantGlyph for record in made.MathGlyphVariantRecord[1:]]
    tall += [part.glyph for part in made.GlyphAssembly.PartRecords] if made.GlyphAssembly else []
    glyphs, advances = font["glyf"], font["hmtx"]
    width = glyphs[root].xMax
    for name in set(tall) - {root}:
        glyph = glyphs[name]
        if not glyph.numberOfContours:
            continue
        factor = width / glyph.xMax
        glyph.coordinates = GlyphCoordinates([(round(x * factor), y) for x, y in glyph.coordinates])
        glyph.recalcBounds(glyphs)
        advances[name] = (advances[root][0], glyph.xMin)


def lower_superscripts(font: Any) -> None:
    """Put superscripts at the same height on letters and brackets, by the drop of TeX's own fonts.

    TeX drops them from tall formulas alone; browsers drop them from every letter.
    """
    font["MATH"].table.MathConstants.SuperscriptBaselineDropMax.Value = DROP


def cut(whole: Path, part: Path) -> None:
    """Write the part of a font that the book uses."""
    options = Options(
        flavor="woff2",
        hinting=False,
        glyph_names=False,
        layout_features=[],
        name_IDs=[0, 1, 2, 5, 13, 14],
    )
    font = load_font(str(whole), options)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)
    narrow_radicals(font)
    lower_superscripts(font)
    save_font(font, str(part), options)


if __name__ == "__main__":
    cut(WHOLE, PART)
    print(f"{PART}  {PART.stat().st_size / 1000:.1f} kB")
