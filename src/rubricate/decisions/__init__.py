"""What is fitted on held-out scores, anybody's: thresholds, calibration, density estimation, and rules made of them."""
