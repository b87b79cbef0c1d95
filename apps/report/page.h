/// @file
/// The page that shows documents: one file of HTML, which loads nothing.
#pragma once

#include <string>
#include <vector>

#include "apps/report/documents.h"

namespace apps {

/// Local. The page, with the documents in it. Whatever texts they hold is text in the page, too.
std::string page_of(const std::string& title, const std::vector<Document>& documents);

/// Local. What a page of these is called, if nobody says: "pagerank", or "kasen" where they are of several programs.
std::string title_of(const std::vector<Document>& documents);

}  // namespace apps
