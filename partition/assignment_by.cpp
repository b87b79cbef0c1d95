#include "partition/assignment_by.h"

#include <span>
#include <string>
#include <vector>

#include "comm/agreement.h"
#include "kasen/base/error.h"

namespace kasen::partition {

Assignment assignment_by(const comm::Communicator& communicator, const OwnerFunction& owner, std::uint64_t length) {
  const int parts = communicator.size();
  const Assignment blocks = Assignment::block(length, parts);
  std::vector<Rank> mine;
  comm::agree(communicator, [&] {
    const GlobalIndex end = blocks.block_begin(communicator.rank() + 1);
    for (GlobalIndex i = blocks.block_begin(communicator.rank()); i < end; ++i) {
      const int part = owner(i, parts);
      if (part < 0 || part >= parts)
        throw InputError("the function of partition_by gives element " + std::to_string(i) + " to part " +
                         std::to_string(part) + ", expected a part from 0 to " + std::to_string(parts - 1));
      mine.push_back(part);
    }
  });
  Assignment part_of_table = Assignment::table(mine, parts);
  if (parts == 1) return part_of_table;
  return Assignment::table(length, parts, communicator.all_gather(part_of_table.packed()).values);
}

}  // namespace kasen::partition
