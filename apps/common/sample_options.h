/// @file
/// Struct TrainingFiles: the samples of programs that train models and predict, and the model's file, by options that
/// these programs share.
#pragma once

#include <initializer_list>
#include <string>

#include "apps/common/samples.h"

namespace CLI {
class App;
}

namespace apps {

struct TrainingFiles {
  SampleFile data;
  std::string predict, model;

  /// Adds --data and --label.
  void add_data_options(CLI::App& app);
  /// Adds --predict, --model, and the options of reading samples. What has been added before says how a model is
  /// trained, and so does not go with --model, but for --data and --label. @param used_by_models more that does go
  void add_predict_options(CLI::App& app, std::initializer_list<const char*> used_by_models = {});
  /// @throws UsageError for a wrong set of files, or for what does not go with --model; needs a session
  void check() const;
  /// The file of --predict.
  SampleFile further() const;
};

}  // namespace apps
