#include "apps/report/page.h"

#include <set>
#include <string_view>
#include <utility>

#include "apps/report/page_files.h"

namespace apps {
namespace {

using kasen::optimizer::Json;

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

/// JSON within an element `script`: a `<`, which stands in strings alone, could begin the end of the element.
std::string within_script(const Json& json) {
  std::string text;
  for (const char c : kasen::optimizer::to_text(json)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

/// The frame with @NAME@ replaced, once: what is put in may hold the same words.
std::string filled(std::string_view frame, const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string page;
  while (!frame.empty()) {
    bool found = false;
    for (const auto& [name, part] : parts) {
      if (!frame.starts_with(name)) continue;
      page += part;
      frame.remove_prefix(name.size());
      found = true;
      break;
    }
    if (found) continue;
    page += frame.front();
    frame.remove_prefix(1);
  }
  return page;
}

}  // namespace

std::string title_of(const std::vector<Document>& documents) {
  std::set<std::string> programs;
  for (const Document& document : documents) {
    const Json& content = document.content;
    const Json& of = document.kind == "trace" && content.contains("otherData") ? content["otherData"] : content;
    if (of.is_object() && of.contains("program") && of["program"].is_string())
      programs.insert(of["program"].get<std::string>());
  }
  return programs.size() == 1 ? *programs.begin() : "kasen";
}

std::string page_of(const std::string& title, const std::vector<Document>& documents) {
  Json all = Json::array();
  for (const Document& document : documents)
    all.push_back({{"name", document.name}, {"kind", document.kind}, {"content", document.content}});
  std::string script;
  for (const char* const* one = kPageScripts; *one != nullptr; ++one) script += *one;
  return filled(kPageHtml, {{"@TITLE@", escaped(title)},
                            {"@STYLE@", kPageStyle},
                            {"@SCRIPT@", std::move(script)},
                            {"@DOCUMENTS@", within_script({{"documents", std::move(all)}})}});
}

}  // namespace apps
