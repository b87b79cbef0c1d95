/// @file
/// The stored text, with figure 4 beside it.
#include "tests/golden/pagerank_plan.h"

namespace kasen::tests {

// Beside figure 4 of the paper, whose sub-DDAGs are the sweeps here and whose dotted arrows are the exchanges:
//
//   sub-DDAG 1, line 1 of Algorithm 1, degree = MxVT
//     The first sweep over the matrix. The constant before it is `pr`, which has to be stored: an MxVT reads it.
//   sub-DDAG 2, line 3, tmp1 = ZipWith(F1)
//     The sweep with `divides` before the loop. At its top the gather of degree, since F1 obeys no law there.
//   sub-DDAG 3, line 4, tmp2 = MxV
//     The sweep over the matrix in the loop. At its top the scatter of tmp1: before the loop for the first iteration,
//     at the end of the body for all others.
//   sub-DDAG 4, lines 5, 6, 7, and 3 of the next iteration
//     The element sweep in the loop: F2, F3, Reduce, F1; 3 vectors in (tmp2, pr, degree), 2 out (pr, tmp1). At its top
//     the gather of tmp2; at its bottom, in one exchange, the scatter of the next tmp1 and the reduction of diff. Line
//     7, the copy F4, is a rename here: the new ranks replace `pr` as the loop goes round.
//   sub-DDAG 5, line 8, diff > theta
//     The scalar step at the end; before the loop the same of the first test. Line 3 runs before this is known:
//     "likely to be true".
const char* const kPageRankPlan = R"(sweep over elements of space 0: 1 operation, 0 in, 1 out
  constant -> v1:C{col 0}, rule 0
sweep over matrix 0: 1 operation, 1 in, 1 out
  mxvt(first, plus) v1:C{col 0} -> v2:PR(plus){row 0}, rule 7
scalar: apply(>) v4 v5 -> v3
exchange: 1 gathered, 0 scattered, 0 reduced
  gather v2:PR(plus){row 0} -> v6:P
sweep over elements of space 0: 1 operation, 2 in, 1 out
  zip_with(divides) v1:C{col 0} v6:P -> v7:P, rule 12
exchange: 0 gathered, 1 scattered, 0 reduced
  scatter v7:P -> v8:C{row 0}
while v11, carrying v9 v10 v11 v12 from v4 v1 v3 v8
  next v13 v14 v15 v16
  then v17 v18 v19 v20
  sweep over matrix 0: 1 operation, 1 in, 1 out
    mxv(first, plus) v12:C{row 0} -> v21:PR(plus){col 0}, rule 6
  exchange: 1 gathered, 0 scattered, 0 reduced
    gather v21:PR(plus){col 0} -> v22:P
  sweep over elements of space 0: 4 operations, 3 in, 2 out
    map((1 - q) + q * x) v22:P -> v14:P, over v22, rule 8
    zip_with(kasen::abs(a - b)) v10:P v14:P -> v23:P, in tile, rule 12
    reduce(plus) v23:P -> v24:PR(plus), rule 4
    zip_with(divides) v14:P v6:P -> v25:P, over v10, rule 12
  exchange: 0 gathered, 1 scattered, 1 reduced
    scatter v25:P -> v16:C{row 0}
    reduce v24:PR(plus) -> v13:C
  scalar: apply(>) v13 v5 -> v15
)";

}  // namespace kasen::tests
