"""What the page says before its results: what it is, and why values may differ."""

from __future__ import annotations

from rankone import __version__

#: Why the values may differ from the published ones, and in some cases must.
REASONS = (
    "**The paper does not state the parameters of D1 to D4,** nor the level of its white noise. "
    "The parameters are those that its authors published for data sets of the same names, sizes "
    "and shapes; three of the paper's statements do not fit them (see *Figure 1 and the data*). "
    "All results are shown for noise of standard deviation s = 0, 0.5, 0.7, 1, 2, 3; where a "
    "single level stands for the paper's noisy data, it is s = 1, white noise of unit variance. "
    "Noise leads to negative entries, for which the factorisation is not defined; the minimum of "
    "the matrix is subtracted first.",
    "**The rank-one factors with the Kullback-Leibler loss are the marginals** of a complete "
    "matrix, in closed form and from every start. At rank one, Lee and Seung's multiplicative "
    "updates are exactly the alternating closed forms, for every beta, because the factor by which "
    "u is multiplied cancels u itself; for beta = 1, one update gives the row sums. `NMF` and "
    "`Marginal` are therefore proportional, and averaging over 100 starts changes nothing. The "
    "paper's objective does not explain the differences between the two in its table; their scales "
    "may (next item).",
    "**Potts depends on the scale of u:** the penalty λ_reg of u is the penalty cᵖ λ_reg of c u. "
    "`NMF` of mean one and `Marginal` as row means are proportional, and yet have different "
    "partitions at the same λ_reg. The paper does not state its scales. Here, vectors are as our "
    "methods return them: NMF, PageRank and CCOT of mean one, Fiedler of unit norm, Marginal as "
    "means of entries. Numbers of clusters are selected on the exact path of all λ_reg, so that "
    "this does not matter, except in the two sections that use the paper's interval of λ_reg, "
    "which name the scale.",
    "**Some draws cannot be identified from their marginals:** the column means of the first two "
    "groups of D3 are equal if 6/13 of the rows are in the first group. The number of such draws "
    "is given in the section on all levels of noise; they are included in all averages.",
    "**Errors are averaged over all draws.** Earlier papers averaged over the draws in which both "
    "numbers of clusters were correct; the share of these draws is shown with every error.",
    "**The Laplacian of a square matrix.** The paper takes the matrix itself as the similarity, "
    'S = A, if it is square. Our `Fiedler` does so when asked to (`similarity="precomputed"`), '
    "because a square table is not a graph: D4 is square, but its rows and columns are different "
    "things, and its A is not symmetric.",
    "**Settings that the paper does not specify** are the defaults of our methods, for all data "
    "sets: Gaussian similarities whose width is set by the mean distance (Fiedler and CCOT-GW), "
    "epsilon = 1, and the largest mean silhouette over 2 to 20 clusters. Nothing is tuned to a "
    "data set. The examples of Figures 2 and 3 were selected by eye, as stated there; settings "
    "that were found afterwards have a section of their own.",
)


def introduction(draws: int, seed: int) -> str:
    """Return the first paragraph of the page."""
    text = (
        "The tables, figures and claims of "
        "[Rank-one partitioning](https://arxiv.org/abs/2009.00365) (Laclau, Iutzeler and Redko, "
        "2020), recomputed and compared with the published values. u, v, λ_reg (`lam` in this "
        "package) and the numbers of tables and figures are the paper's. Written by `rankone "
        f"reproduce` (rankone {__version__}); figures show seed {seed}. All statements about the "
        "results are computed from them."
    )
    if not draws:
        return text
    return text + (
        f" Tables are based on {draws} {'draw' if draws == 1 else 'draws'} of each data set at "
        f"each level of noise, with seeds {seed} to {seed + draws - 1}. A *cell* is a data set at "
        "a level of noise. One method is *better* than another in a cell if the mean difference on "
        "the same draws exceeds two standard errors and 0.001; if two methods are equally good, "
        "about one comparison in twenty differs by chance."
    )
