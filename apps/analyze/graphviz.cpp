#include "apps/analyze/graphviz.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>

#include "kasen/base/error.h"
#include "kasen/io/bytes/output_file.h"

extern char** environ;

namespace apps {
namespace {

/// Runs `dot` with the drawing on its standard input. @return its exit status; 127 if it has gone.
int run_dot(std::FILE* drawing, const std::string& output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(drawing), STDIN_FILENO);
  std::string words[] = {"dot", "-Tsvg", "-o", output};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t process = 0;
  const int error = posix_spawnp(&process, "dot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return 127;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

void require_graphviz(const std::string& path) {
  const char* const folders = std::getenv("PATH");
  if (folders == nullptr) return;  // where programs are then is for the system to say
  std::istringstream all(folders);
  for (std::string folder; std::getline(all, folder, ':');) {
    if (access(((folder.empty() ? "." : folder) + "/dot").c_str(), X_OK) == 0) return;
  }
  throw kasen::InputError(path + ": Graphviz is not installed (there is no program 'dot'); --dot writes its input");
}

void write_svg(const kasen::comm::Communicator& communicator, const std::string& path, const std::string& drawing) {
  kasen::io::OutputFile file(communicator, path);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> text(std::tmpfile(), std::fclose);
  if (!text || std::fwrite(drawing.data(), 1, drawing.size(), text.get()) != drawing.size() ||
      std::fflush(text.get()) != 0)
    throw kasen::InputError(path + ": no temporary file can be written: " + std::strerror(errno));
  std::rewind(text.get());
  const int status = run_dot(text.get(), file.temporary());
  if (status != 0) throw kasen::InputError(path + ": Graphviz failed with exit status " + std::to_string(status));
  file.commit();
}

}  // namespace apps
