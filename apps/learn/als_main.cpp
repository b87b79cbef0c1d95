/// @file
/// The command line of alternating least squares.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/common/verdict.h"
#include "apps/learn/als.h"
#include "apps/learn/als_recommend.h"
#include "apps/learn/verify_als.h"
#include "kasen/base/printable.h"
#include "kasen/input_options.h"
#include "kasen/io/formats/read.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct AlsOptions {
  std::string ratings, predict, model;
  std::vector<std::string> users;
  std::size_t top = 10;
  apps::Factoring factoring;
  kasen::ReadOptions input;
};

void add_options(CLI::App& app, AlsOptions& options) {
  apps::Factoring& factoring = options.factoring;
  app.add_option("--ratings", options.ratings,
                 "a matrix, one user a row, one item a column, whose non-zeros are ratings: " + kasen::graph_formats())
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--rank", factoring.rank, "numbers of a factor")
      ->transform(kasen::whole_number(1))
      ->type_name("R")
      ->capture_default_str();
  app.add_option("--penalty", factoring.penalty, "weight of half the squared norms of the factors")
      ->check(kasen::number_between(std::numeric_limits<double>::min(), 1e300, "a number above 0"))
      ->type_name("NUMBER")
      ->capture_default_str();
  app.add_flag("--weighted", factoring.weighted, "the penalty of a factor counts as often as it has ratings");
  app.add_option("--seed", factoring.seed, "of the factors that it begins with")
      ->transform(kasen::whole_number())
      ->type_name("N")
      ->capture_default_str();
  factoring.stopping.tolerance = 1e-4;
  factoring.stopping.max_iterations = 50;
  factoring.stopping.add_options(app, "stops when the loss decreases by a smaller part of it");
  app.add_option("--users", options.users, "prints what these are predicted to rate best, of what they have not rated")
      ->delimiter(',')
      ->type_name("USER,...");
  app.add_option("--top", options.top, "so many items for each of --users")
      ->transform(kasen::whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--predict", options.predict, "further ratings: prints how well they are predicted")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--model", options.model, "instead of --ratings: predicts with what --output has written to HDF5")
      ->check(kasen::given_name())
      ->type_name("FILE");
  kasen::add_input_options(app, options.input, kasen::kGraphs);
  for (const char* name : {"--rank", "--penalty", "--weighted", "--seed", "--tolerance", "--max-iterations",
                           "--iterations", "--users", "--top"}) {
    app.get_option("--model")->excludes(app.get_option(name));  // which says how it was made, or needs the ratings
  }
  app.get_option("--top")->needs(app.get_option("--users"));
  app.footer("Example: kasen-run -n 4 als --ratings train.mtx --rank 20 --predict test.mtx --output factors.h5");
}

void check(const AlsOptions& options) {
  if (options.ratings.empty() == options.model.empty()) throw kasen::UsageError("expected either --ratings or --model");
  if (!options.model.empty() && options.predict.empty()) throw kasen::UsageError("--model needs --predict");
}

/// A dataset of --model.
kasen::Rows<double> read_factors(const std::string& path, const std::string& dataset) {
  kasen::ReadOptions options;
  options.format = "hdf5";
  options.dataset = dataset;
  return kasen::read_table(path, options).as_rows();
}

/// Factors at both ends of ratings, under the names that the vertices of their file have, if any.
struct NamedFactors {
  kasen::Rows<double> users, items;
  std::shared_ptr<const kasen::io::VertexIds> ids;
};

/// The factors of the vertices of further ratings, which every file numbers by itself. Every worker gets all names of
/// these. @throws InputError for one without factors
void renumber(const AlsOptions& options, const kasen::Matrix<double>& further, NamedFactors& factors) {
  std::vector<kasen::GlobalIndex> all(further.rows().length());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::string> names = kasen::names(further, all);
  const std::vector<kasen::GlobalIndex> known = kasen::vertices(*factors.ids, names);
  const auto missing = std::find(known.begin(), known.end(), -1);
  if (missing != known.end()) {
    throw kasen::InputError(fmt::format("{}: has '{}', of which {} has no rating", options.predict,
                                        kasen::printable(names[static_cast<std::size_t>(missing - known.begin())]),
                                        options.ratings));
  }
  const kasen::BlockRange block = kasen::block_of(further.rows());
  const auto mine = std::span(known).subspan(static_cast<std::size_t>(block.first), block.count);
  const auto key = kasen::make_vector<kasen::GlobalIndex>(further.rows(), mine);
  factors.users = kasen::take(factors.users, key);
  factors.items = kasen::take(factors.items, key);
}

void predict(const AlsOptions& options, NamedFactors factors) {
  const auto further = kasen::read_matrix<double>(options.predict, options.input);
  if ((further.ids() == nullptr) != (factors.ids == nullptr)) {
    throw kasen::InputError(fmt::format("{}: expected users and items that go by their {}, as those of {} do",
                                        options.predict, factors.ids == nullptr ? "number" : "names",
                                        options.model.empty() ? options.ratings : options.model));
  }
  if (factors.ids != nullptr) renumber(options, further, factors);
  const std::uint64_t users = factors.users.length(), items = factors.items.length();
  if (further.rows().length() != users || further.columns().length() != items) {
    throw kasen::InputError(fmt::format("{}: expected ratings of {} items by {} users, found of {} by {}",
                                        options.predict, items, users, further.columns().length(),
                                        further.rows().length()));
  }
  const std::uint64_t count = apps::count_ratings(further);
  if (count == 0) throw kasen::InputError(options.predict + ": there are no ratings");
  const double squares = apps::squared_errors(further, factors.users, factors.items).get();
  kasen::Session::current().print(fmt::format("{}: {} ratings, root mean square error {:.8g}\n", options.predict, count,
                                              std::sqrt(squares / static_cast<double>(count))));
}

/// The users of --users, by number, or by name where the file has names. @throws InputError
std::vector<kasen::GlobalIndex> users_of(const AlsOptions& options, const kasen::Matrix<double>& ratings) {
  std::vector<kasen::GlobalIndex> users;
  if (ratings.ids()) users = kasen::vertices(*ratings.ids(), options.users);
  for (const std::string& name : options.users) {
    if (ratings.ids()) break;
    std::uint64_t number = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool is_one = failure == std::errc() && end == name.data() + name.size() && number < ratings.rows().length();
    users.push_back(is_one ? static_cast<kasen::GlobalIndex>(number) : -1);
  }
  for (std::size_t k = 0; k < users.size(); ++k) {
    if (users[k] < 0)
      throw kasen::InputError(
          fmt::format("{}: has no user '{}', which --users names", options.ratings, options.users[k]));
  }
  return users;
}

/// Prints recommendations, and adds them to the output.
void recommend(const AlsOptions& options, const kasen::Matrix<double>& ratings, const apps::Factors& factors,
               std::optional<kasen::Output>& output) {
  const auto all = apps::recommend(ratings, factors, users_of(options, ratings), options.top);
  std::vector<kasen::GlobalIndex> vertices;
  for (const auto& one : all) vertices.insert(vertices.end(), {one.user, one.item});
  std::vector<std::string> names;
  if (ratings.ids()) names = kasen::names(*ratings.ids(), vertices);
  for (std::size_t k = names.size(); k < vertices.size(); ++k) names.push_back(std::to_string(vertices[k]));
  std::string text;
  std::vector<double> users, items, predicted;
  for (std::size_t k = 0; k < all.size(); ++k) {
    text += fmt::format("{} {} {:.6g}\n", kasen::printable(names[2 * k]), kasen::printable(names[2 * k + 1]),
                        all[k].rating);
    users.push_back(static_cast<double>(all[k].user));
    items.push_back(static_cast<double>(all[k].item));
    predicted.push_back(all[k].rating);
  }
  kasen::Session::current().print(text);
  if (output) output->add("top_users", users).add("top_items", items).add("top_ratings", predicted);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Factors of users and items from ratings, by alternating least squares");
  AlsOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  check(options);
  if (!options.model.empty()) {
    if (!session.options().output.empty() || session.options().verify)
      throw kasen::UsageError("--model goes with neither --output nor --verify");
    predict(options, {read_factors(options.model, "users"), read_factors(options.model, "items"), nullptr});
    return 0;
  }

  const auto ratings = kasen::read_matrix<double>(options.ratings, options.input);
  const std::uint64_t count = apps::count_ratings(ratings);
  if (count == 0) throw kasen::InputError(options.ratings + ": there are no ratings");
  const std::string& path = session.options().output;
  const bool columns = path.ends_with(".tsv") || path.ends_with(".mtx");
  if (columns && (!options.users.empty() || ratings.rows().length() != ratings.columns().length()))
    throw kasen::UsageError("--output " + path +
                            ": a text has columns of one length, which factors of users, of items "
                            "and recommendations do not have: give the name of an HDF5 file, FILE.h5");
  session.expect_iterations(options.factoring.stopping.most());
  const apps::Factors factors = apps::als(ratings, options.factoring);
  const double loss = factors.loss.get(), squares = factors.squares.get();
  if (!std::isfinite(loss)) throw kasen::Error(options.ratings + ": the loss is not finite: the ratings are too large");
  const double error = std::sqrt(squares / static_cast<double>(count));

  std::optional<kasen::Output> output;
  if (!session.options().output.empty()) {
    output.emplace(session.options().output);
    output->add("users", factors.users).add("items", factors.items);
    if (ratings.ids()) output->add("vertex", *ratings.ids());
    output->attribute("loss", loss).attribute("rmse", error);
  }
  if (!options.users.empty()) recommend(options, ratings, factors, output);
  if (!options.predict.empty()) predict(options, {factors.users, factors.items, ratings.ids()});
  if (session.options().verify) {
    const auto off = apps::factoring_error(options.ratings, options.input, options.factoring, factors);
    apps::verdict(off.holds(), fmt::format("loss off by {:.2g}, squared errors by {:.2g}", off.loss, off.squares));
  }
  if (output) output->commit();
  session.print(
      fmt::format("{} users, {} items, {} ratings, rank {}, {} worker{}, {} iterations, loss {:.9g}, root mean "
                  "square error {:.6g}\n",
                  ratings.rows().length(), ratings.columns().length(), count, options.factoring.rank, session.workers(),
                  session.workers() == 1 ? "" : "s", session.counts().iterations, loss, error));
  return 0;
}
