"""Models that are fitted from `Counts` alone: one file a model, each a page."""
