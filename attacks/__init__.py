"""Random attacks on the library: cases that must give a right result, or a clear refusal."""
