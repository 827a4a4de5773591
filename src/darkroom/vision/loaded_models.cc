#include "darkroom/vision/loaded_models.h"

#include <malloc.h>
#include <unistd.h>

#include <utility>

#include "darkroom/failure.h"

namespace tintype::darkroom::vision {
namespace {

// Those of Chinese have 33 KB.
constexpr size_t kCharactersBytesMax = size_t{1} << 20;

}  // namespace

void LoadedModels::Use(const std::string& models) {
  if (models != models_) {
    Forget();
    models_ = models;
  }
}

Result<ModelSession*> LoadedModels::Model(size_t place, int file, ModelMemory memory) {
  std::unique_ptr<ModelSession>& session = sessions_[place];
  if (session == nullptr) {
    ASSIGN_OR_RETURN(session, runtime_.Open(file, memory));
  }
  return session.get();
}

Result<const Characters*> LoadedModels::CharactersOf(size_t place, int file) {
  const auto known = characters_.find(place);
  if (known != characters_.end()) {
    return &known->second;
  }
  std::string text(kCharactersBytesMax, '\0');
  const ssize_t read = ::pread(file, text.data(), text.size(), 0);
  if (read <= 0) {
    return MakeFailure(FailureKind::kNotRunning, "The characters of a model cannot be read");
  }
  text.resize(static_cast<size_t>(read));
  return &(characters_[place] = ReadCharacters(text));
}

void LoadedModels::Forget() {
  sessions_.clear();
  characters_.clear();
  models_.clear();
  ::malloc_trim(0);
}

}  // namespace tintype::darkroom::vision
