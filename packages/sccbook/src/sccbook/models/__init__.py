"""Models that chapters, figures and experiments compute with."""
