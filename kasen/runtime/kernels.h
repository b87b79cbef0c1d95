/// @file
/// All headers of kernels that primitives instantiate where they are called.
#pragma once

#include "kasen/runtime/apply_kernel.h"
#include "kasen/runtime/binned_kernel.h"
#include "kasen/runtime/binned_product.h"
#include "kasen/runtime/connected_kernel.h"
#include "kasen/runtime/dense_kernel.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/ends_kernel.h"
#include "kasen/runtime/fold_kernel.h"
#include "kasen/runtime/key_kernel.h"
#include "kasen/runtime/matrix_kernel.h"
#include "kasen/runtime/reduce_kernel.h"
#include "kasen/runtime/row_kernel.h"
#include "kasen/runtime/row_matrix_kernel.h"
#include "kasen/runtime/row_sum.h"
#include "kasen/runtime/settling_kernel.h"
