// The engine in process: the codec and the dispatcher, no sockets and no signatures.

#include <future>

#include "backend.h"
#include "base/testing/temporary_directory.h"
#include "http/dynamodb/dispatch.h"
#include "tables/engine/rocks_database.h"

namespace tintype::conformance {
namespace {

class EngineBackend : public Backend {
 public:
  EngineBackend() {
    tables::engine::EngineConfig config;
    config.directory = directory_.path();
    config.relaxed_durability = true;
    database_ = tables::engine::RocksDatabase::Open(config, SystemClock()).value();
  }

  Answer Call(std::string_view operation, std::string_view body) override {
    std::promise<Answer> answer;
    http::dynamodb::Dispatch({*database_, database_.get(), database_.get()},
                             {operation, body, "localhost"}, [&](http::dynamodb::Reply reply) {
                               answer.set_value({reply.status, std::move(reply.body)});
                             });
    return answer.get_future().get();
  }

 private:
  TemporaryDirectory directory_;
  std::unique_ptr<tables::engine::RocksDatabase> database_;
};

}  // namespace

std::unique_ptr<Backend> StartBackend() { return std::make_unique<EngineBackend>(); }

}  // namespace tintype::conformance
