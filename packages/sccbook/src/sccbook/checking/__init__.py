"""The machinery behind `check`: probes observe an answer, comparisons and properties judge it."""
