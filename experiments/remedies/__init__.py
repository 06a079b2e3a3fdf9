"""The network of ``sccbook.models.recall`` under seven remedies and three optimizers."""
