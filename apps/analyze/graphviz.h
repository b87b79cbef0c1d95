/// @file
/// Rendering of drawings as SVG by Graphviz, if it is installed.
#pragma once

#include <string>

#include "comm/communicator.h"

namespace apps {

/// Local. @throws kasen::InputError "FILE: reason" if Graphviz is not installed
void require_graphviz(const std::string& path);

/// Collective. Renders the drawing as SVG with `dot`; the file appears when it is whole.
/// @throws kasen::InputError "FILE: reason"
void write_svg(const kasen::comm::Communicator& communicator, const std::string& path, const std::string& drawing);

}  // namespace apps
