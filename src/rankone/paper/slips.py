"""Slips of the paper: what does not fit together in its text, formulas and figures."""

from __future__ import annotations

from rankone.paper.cells import Cell, Cells
from rankone.paper.page import Bullets, Section

CELLS: tuple[Cell, ...] = ()

#: Where, and what. None of them changes a conclusion of the paper.
SLIPS = (
    "**Section 2.1, eigenvalues** are said to increase, but the inequality (λ_i > λ_j for i < j) "
    "says that they decrease. λ_2 is then meant in increasing order, and λ_n of PageRank too.",
    "**Section 2.3** announces three options for the eigenvector, and lists two.",
    "**Section 2.3, columns from left eigenvectors.** The left eigenvector of a column-stochastic "
    "matrix is constant, so that PageRank of the columns needs the transposed matrix.",
    "**Section 3.2** recommends Lee and Seung's algorithm for the rank-one problem, which a "
    "complete matrix does not need: one update is the solution. Sensitivity to the initialisation, "
    "and the mean over 100 of them, concern the scale of u alone.",
    "**Section 3.2, remark:** as epsilon grows, u and v tend to constants whose product is 1 / (m "
    "n), not to vectors of ones. What carries information is the first order: epsilon log u tends "
    "to the centred row means of M.",
    "**Figure 2** is described as one of 60 rows and 60 columns, but its axes run from 1 to 300; "
    "in its source, the files of the marginals are exchanged (v of Largest Gaps is drawn with u).",
    "**Section 4.1:** D maps n coordinates to n - 1 increments, so that it is (n - 1) x n, not "
    "n x (n - 1). u has m coordinates, and is called a vector of size n. The solution of Potts is "
    "real, and is called z_R, which is a vector of integers.",
    "**The lemma** says *any p >= 1*; its proof treats p = 1 and 2. For p = 1, medians are not "
    "unique, so that *a* minimiser is sorted. Neighbouring levels may be equal in the proof (<= "
    "instead of <). Most of all, the lemma is about contiguous pieces of a sorted vector; that the "
    "clusters of the *sorted-Potts problem* are intervals of values, so that sorting first is no "
    "restriction, needs an exchange argument of its own. It holds: our tests compare with all set "
    "partitions.",
    "**Appendix, proof:** the sums over j contain s_i instead of s_j.",
    "**Appendix, generative process:** the normal distribution has a mean and no variance.",
    "**Appendix, data:** the table is numbered 1, like the table of results. Its caption gives "
    "sizes as m x n and (k_r, k_c), and its header as n x m and g x k.",
    "**Appendix, λ_reg** is called epsilon in the text and in the caption of Figure 7, where "
    "epsilon elsewhere is the regularisation of transport.",
    "**Table 1:** Fiedler DS on noisy D4 has a mean of .900 and a standard deviation of .000 over "
    "100 random data sets.",
    "**Table 1 and Figure 4** contradict each other on noisy D3: see *Figure 4*.",
    "**Figure 1 and the appendix** call the partitions c_L and c_C, elsewhere z_R and z_C.",
)


def section(cells: Cells, seed: int) -> Section:
    """List the slips."""
    return Section(
        "Slips of the paper",
        "",
        0.0,
        "",
        [
            "The equations of the paper agree with independent code to rounding error. These "
            "details do not fit together; none of them changes a conclusion.",
            Bullets(SLIPS),
        ],
    )
