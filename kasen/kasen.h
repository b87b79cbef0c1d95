/// @file
/// Kasen: distributed array programs. This header is all a program needs.
#pragma once

// Types and functions of Kasen are the same ones in shared libraries, whatever -fvisibility a program has.
#pragma GCC visibility push(default)

// The files that messages of compilers stand in come first, as the way to them is printed before the message.
#include "kasen/arrays.h"
#include "kasen/rows.h"

#include "kasen/detail/call_checks.h"
#include "kasen/make_vector.h"
#include "kasen/primitives.h"

#include "kasen/output.h"

#include "kasen/shared_functions.h"
#include "kasen/shared_math.h"

#include "kasen/base/calendar.h"
#include "kasen/base/error.h"
#include "kasen/batches.h"
#include "kasen/columns.h"
#include "kasen/control.h"
#include "kasen/detail/refused_operators.h"
#include "kasen/ends.h"
#include "kasen/entries.h"
#include "kasen/extrema.h"
#include "kasen/function.h"
#include "kasen/input.h"
#include "kasen/joins.h"
#include "kasen/make_matrices.h"
#include "kasen/order.h"
#include "kasen/partition_by.h"
#include "kasen/random.h"
#include "kasen/row.h"
#include "kasen/row_products.h"
#include "kasen/scan.h"
#include "kasen/session.h"
#include "kasen/table.h"
#include "kasen/track.h"
#include "kasen/workers.h"

#pragma GCC visibility pop
