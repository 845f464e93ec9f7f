"""Speed and memory of the cuts, beside other packages and beside a plain sort.

``make bench`` runs all of it and writes RESULTS.md. Ratios are taken within one process: the two
sides of a ratio are run in turns, after a warm-up, and the fastest run of each counts.
"""
