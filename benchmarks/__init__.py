"""Speed and memory against peers, measured in one run and kept as ratios: machines are noisy."""
