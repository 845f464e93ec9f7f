"""Random attacks on the library, each case against an oracle, a certificate or a symmetry."""
