#include "kasen/base/option_names.h"

namespace kasen {

std::string name_of(Fusion fusion) {
  return fusion == Fusion::greedy ? "greedy" : fusion == Fusion::off ? "off" : "exact";
}
std::string name_of(Sync sync) { return sync == Sync::hybrid ? "hybrid" : sync == Sync::eager ? "eager" : "lazy"; }
std::string name_of(Partition partition) {
  switch (partition) {
    case Partition::automatic:
      return "auto";
    case Partition::block:
      return "block";
    case Partition::range:
      return "range";
    case Partition::range_column:
      return "range-column";
    case Partition::range_grid:
      return "range-2d";
    case Partition::row:
      return "row";
    case Partition::column:
      return "column";
    case Partition::hybrid_cut:
      return "hybrid-cut";
    case Partition::grid:
      return "2d";
    case Partition::metis:
      return "metis";
    case Partition::label_propagation:
      return "label-propagation";
    case Partition::file:
      return "file";
  }
  return {};
}

std::string name_of(Storage storage) {
  return storage == Storage::automatic ? "auto" : storage == Storage::compressed ? "compressed" : "blocked";
}

std::string name_of(Numbering numbering) {
  return numbering == Numbering::automatic ? "auto" : numbering == Numbering::index ? "index" : "degree";
}

std::string name_of(Overlap overlap) {
  return overlap == Overlap::automatic ? "auto" : overlap == Overlap::on ? "on" : "off";
}

std::string name_of(Routes routes) {
  return routes == Routes::automatic ? "auto" : routes == Routes::all_to_all ? "all-to-all" : "neighbours";
}

std::string options_text(const Options& options) {
  std::string text = "--fusion " + name_of(options.fusion) + " --sync " + name_of(options.sync);
  if (options.reproducible) text += " --reproducible";
  if (!options.roles) text += " --roles off";
  if (options.storage != Storage::automatic) text += " --storage " + name_of(options.storage);
  if (options.overlap != Overlap::automatic) text += " --overlap " + name_of(options.overlap);
  if (options.routes != Routes::automatic) text += " --routes " + name_of(options.routes);
  std::string passes;
  for (const std::string& pass : options.passes_off) passes += (passes.empty() ? "-" : ",-") + pass;
  if (!passes.empty()) text += " --passes " + passes;
  return text;
}

}  // namespace kasen
