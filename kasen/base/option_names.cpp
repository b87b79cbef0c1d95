#include "kasen/base/option_names.h"

#include <cstddef>

#include "kasen/base/error.h"

namespace kasen {
namespace {

/// @throws InternalError for a value that no word stands for
template <class T, std::size_t n>
std::string word_for(const OptionWord<T> (&words)[n], T value) {
  for (const auto& [word, meant] : words) {
    if (meant == value) return word;
  }
  throw InternalError("no word stands for value " + std::to_string(static_cast<int>(value)) + " of an option");
}

}  // namespace

std::string name_of(Fusion fusion) { return word_for(kFusionWords, fusion); }
std::string name_of(Sync sync) { return word_for(kSyncWords, sync); }
std::string name_of(Partition partition) {
  return partition == Partition::file ? "file" : word_for(kPartitionWords, partition);
}
std::string name_of(Storage storage) { return word_for(kStorageWords, storage); }
std::string name_of(Numbering numbering) { return word_for(kNumberingWords, numbering); }
std::string name_of(Overlap overlap) { return word_for(kOverlapWords, overlap); }
std::string name_of(Routes routes) { return word_for(kRoutesWords, routes); }

std::string passes_text(const Options& options) {
  std::string text;
  for (const std::string& pass : options.passes_off) text += (text.empty() ? "-" : ",-") + pass;
  return text;
}

std::string options_text(const Options& options) {
  std::string text = "--fusion " + name_of(options.fusion) + " --sync " + name_of(options.sync);
  if (options.reproducible) text += " --reproducible";
  if (!options.roles) text += " --roles off";
  if (options.storage != Storage::automatic) text += " --storage " + name_of(options.storage);
  if (options.overlap != Overlap::automatic) text += " --overlap " + name_of(options.overlap);
  if (options.routes != Routes::automatic) text += " --routes " + name_of(options.routes);
  if (!options.passes_off.empty()) text += " --passes " + passes_text(options);
  return text;
}

}  // namespace kasen
