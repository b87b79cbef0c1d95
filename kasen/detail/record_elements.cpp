#include "kasen/detail/record_elements.h"

namespace kasen::detail {

template Vector<double> element_of_vectors<double>(const char*, Where, Plus, const Vector<double>&,
                                                   const Vector<double>&);
template Vector<double> element_of_vectors<double>(const char*, Where, Minus, const Vector<double>&,
                                                   const Vector<double>&);
template Vector<double> element_of_vectors<double>(const char*, Where, Times, const Vector<double>&,
                                                   const Vector<double>&);

}  // namespace kasen::detail
