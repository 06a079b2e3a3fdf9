"""What else clips and watches gradients, each run on the same training."""
