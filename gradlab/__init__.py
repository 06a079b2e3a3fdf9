"""Scale, clip and constrain gradients, and see what each does.

The library behind the book *Scale, Clip, Constrain*: `gradlab.ops` has the operators,
`gradlab.explorables` the figures, `gradlab.classroom` the checks of the exercises.
"""
