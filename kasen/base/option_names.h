/// @file
/// The words of the options that change plans, as a command line writes them, and the values that they stand for.
#pragma once

#include <string>
#include <utility>

#include "kasen/base/options.h"

namespace kasen {

template <class T>
using OptionWord = std::pair<const char*, T>;

// In the order of help texts; the first is the default.
inline constexpr OptionWord<Fusion> kFusionWords[] = {
    {"greedy", Fusion::greedy}, {"off", Fusion::off}, {"exact", Fusion::exact}};
inline constexpr OptionWord<Sync> kSyncWords[] = {
    {"hybrid", Sync::hybrid}, {"eager", Sync::eager}, {"lazy", Sync::lazy}};
/// All but Partition::file, for which the name of the file stands.
inline constexpr OptionWord<Partition> kPartitionWords[] = {{"auto", Partition::automatic},
                                                            {"block", Partition::block},
                                                            {"range", Partition::range},
                                                            {"range-column", Partition::range_column},
                                                            {"range-2d", Partition::range_grid},
                                                            {"row", Partition::row},
                                                            {"column", Partition::column},
                                                            {"hybrid-cut", Partition::hybrid_cut},
                                                            {"2d", Partition::grid},
                                                            {"metis", Partition::metis},
                                                            {"label-propagation", Partition::label_propagation}};
inline constexpr OptionWord<Storage> kStorageWords[] = {{"auto", Storage::automatic},
                                                        {"compressed", Storage::compressed},
                                                        {"blocked", Storage::blocked},
                                                        {"stencils", Storage::stencils}};
inline constexpr OptionWord<Numbering> kNumberingWords[] = {
    {"auto", Numbering::automatic}, {"index", Numbering::index}, {"degree", Numbering::degree}};
inline constexpr OptionWord<Overlap> kOverlapWords[] = {
    {"auto", Overlap::automatic}, {"on", Overlap::on}, {"off", Overlap::off}};
inline constexpr OptionWord<Routes> kRoutesWords[] = {
    {"auto", Routes::automatic}, {"all-to-all", Routes::all_to_all}, {"neighbours", Routes::neighbours}};

std::string name_of(Fusion fusion);
std::string name_of(Sync sync);
std::string name_of(Partition partition);  ///< "file" for Partition::file
std::string name_of(Storage storage);
std::string name_of(Numbering numbering);
std::string name_of(Overlap overlap);
std::string name_of(Routes routes);

/// The value of --passes that switches off what `passes_off` names: "-rotate,-in-place". Empty if it names nothing.
std::string passes_text(const Options& options);

/// What a plan was made by, as a command line: `--fusion` and `--sync`, and of --reproducible, --roles, --storage,
/// --overlap, --routes and --passes those that are not at their default.
std::string options_text(const Options& options);

}  // namespace kasen
