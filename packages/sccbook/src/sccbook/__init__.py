"""What the chapters of *Scale, Clip, Constrain* import.

`sccbook.figures` has the figures, `sccbook.exercises` the exercises and `check`, `sccbook.models`
what is trained and unrolled, `sccbook.records` what experiments recorded, `sccbook.style` the
colours of plots, and `sccbook.site` the Sphinx extension.
"""
