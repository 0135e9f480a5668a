"""What `make bench` runs: every figure is measured in this run, side by side with what it is compared to."""
