#include "kasen/detail/record_products.h"

namespace kasen::detail {

template Vector<double> product_with_vector<kasen::Op::mxv>(const char*, Times, Plus, const Matrix<double>&,
                                                            const Vector<double>&, Where);
template Vector<double> product_with_vector<kasen::Op::mxvt>(const char*, Times, Plus, const Matrix<double>&,
                                                             const Vector<double>&, Where);
template Vector<double> product_with_vector<kasen::Op::mxv>(const char*, First, Plus, const Matrix<Pattern>&,
                                                            const Vector<double>&, Where);
template Vector<double> product_with_vector<kasen::Op::mxvt>(const char*, First, Plus, const Matrix<Pattern>&,
                                                             const Vector<double>&, Where);

}  // namespace kasen::detail
