#include "apps/common/sample_options.h"

#include <CLI/CLI.hpp>

#include <set>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/input_options.h"
#include "kasen/option_values.h"

namespace apps {

void TrainingFiles::add_data_options(CLI::App& app) {
  app.add_option("--data", data.path, "samples with labels: LIBSVM or HDF5, or a table with --label")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--label", data.label, "the data is a table, this its column of labels: a name, or a number from 0")
      ->check(kasen::given_name())
      ->type_name("COLUMN");
}

void TrainingFiles::add_predict_options(CLI::App& app, std::initializer_list<const char*> used_by_models) {
  std::set<const CLI::Option*> others{app.get_help_ptr(), app.get_option("--data"), app.get_option("--label")};
  for (const char* name : used_by_models) others.insert(app.get_option(name));
  std::vector<CLI::Option*> training = app.get_options();
  std::erase_if(training, [&](const CLI::Option* option) { return others.contains(option); });
  app.add_option("--predict", predict, "further samples with labels: prints how well they are predicted")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--model", model, "instead of --data: predicts with what --output has written to HDF5")
      ->check(kasen::given_name())
      ->type_name("FILE");
  kasen::add_sample_options(app, data.options);
  for (CLI::Option* const option : training) app.get_option("--model")->excludes(option);
  app.get_option("--model")->excludes(app.get_option("--columns"));
}

void TrainingFiles::check() const {
  if (data.path.empty() == model.empty()) throw kasen::UsageError("expected either --data or --model");
  if (model.empty()) return;
  if (predict.empty()) throw kasen::UsageError("--model needs --predict");
  const auto& options = kasen::Session::current().options();
  if (!options.output.empty() || options.verify)
    throw kasen::UsageError("--model goes with neither --output nor --verify");
}

SampleFile TrainingFiles::further() const {
  SampleFile file = data;
  file.path = predict;
  file.constant = false;
  return file;
}

}  // namespace apps
