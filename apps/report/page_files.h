/// @file
/// The files of apps/report/page, which the build puts into programs (embed.cmake).
#pragma once

namespace apps {

extern const char* const kPageHtml;
extern const char* const kPageStyle;
extern const char* const kPageScripts[];  ///< in the order in which they use each other; null behind the last

}  // namespace apps
