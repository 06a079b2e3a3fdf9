"""The network of ``gradlab.unroll.recall`` under seven remedies and three optimizers."""
