"""A tree of rank-one splits."""
