"""Scale, clip and constrain gradients, and see what each does.

The library behind the book *Scale, Clip, Constrain*: `gradlab.ops` has the operators,
`gradlab.transforms` the same for Optax, `gradlab.torch` for PyTorch, `gradlab.probe` what records
them in one's own training, `gradlab.unroll` dynamics unrolled in time, `gradlab.figures` the
book's figures, `gradlab.figure` what makes one of your own, `gradlab.exercises` the checks of the
exercises.
"""

from gradlab import drawing

drawing.register()
