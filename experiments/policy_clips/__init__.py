"""A policy gradient with three surrogates, with a clip of the norm and without."""
