/// @file
/// The error of a table with too many ids.
#include "kasen/io/ids/id_table.h"

#include "kasen/base/error.h"

namespace kasen::io {

void throw_too_many_ids() {
  throw InputError("more than 2,147,483,648 distinct vertex ids on one worker; use more workers");
}

}  // namespace kasen::io
