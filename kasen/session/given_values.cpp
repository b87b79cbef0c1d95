#include "kasen/session/given_values.h"

#include <string_view>

#include "kasen/base/hash.h"
#include "kasen/base/program_tools.h"

namespace kasen {

std::vector<recording::GivenValue> given_values(const recording::Pending& pending) {
  std::vector<recording::GivenValue> given = pending.given;
  for (std::size_t k = 0; k < pending.live_in.size(); ++k) {
    const recording::Stored& stored = *pending.live_in[k];
    if (!stored.given) continue;
    SourceLine read;  // first; a Shared does not know where it was made
    const auto visit = [&](const auto& self, const Block& block) -> void {
      for (const Statement& statement : block.statements) {
        if (read.line == 0) {
          for_each_read(statement, [&](ValueId value) {
            if (value == pending.program.live_in[k].value && read.line == 0) read = statement.where;
          });
        }
        for (const Block& region : statement.regions) self(self, region);
      }
    };
    visit(visit, pending.program.top);
    const std::vector<std::byte>& bytes = stored.value.shared;
    given.push_back({hash_of(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())), read});
  }
  return given;
}

std::uint64_t hash_of(const std::vector<recording::GivenValue>& given) {
  Fnv1a hash;
  for (const recording::GivenValue& value : given) hash.add(value.hash);
  return hash.value();
}

}  // namespace kasen
