"""Benchmarks of speed, memory and accuracy, compared with other packages.

``make bench`` runs the benchmarks of speed and memory and writes RESULTS.md. Both sides of a ratio
run alternately in one process, after a warm-up, and the fastest run of each counts.
"""
