// The engine in process: the codec and the dispatcher, no sockets and no signatures.

#include <future>

#include "access/tables/table_access.h"
#include "backend.h"
#include "base/testing/temporary_directory.h"
#include "http/dynamodb/dispatch.h"
#include "tables/engine/rocks_database.h"
#include "tables/transfer/table_transfers.h"

namespace tintype::conformance {
namespace {

class EngineBackend : public Backend {
 public:
  EngineBackend() {
    tables::engine::EngineConfig config;
    config.directory = directory_.path();
    config.relaxed_durability = true;
    database_ = tables::engine::RocksDatabase::Open(config, SystemClock()).value();
    transfers_ = tables::transfer::TableTransfers::Start(
                     {.root = buckets_.path(), .records = records_.path()}, *database_, *database_,
                     SystemClock())
                     .value();
    access_ = std::make_unique<access::TableAccess>(access::TableAccessConfig{}, *database_,
                                                    SystemClock());
    root_.principal.kind = access::PrincipalKind::kRootKey;
  }

  Answer Call(std::string_view operation, std::string_view body) override {
    std::promise<Answer> answer;
    http::dynamodb::Dispatch(
        {*database_, database_.get(), database_.get(), transfers_.get(), access_.get()},
        {operation, body, "localhost", &root_}, [&](http::dynamodb::Reply reply) {
          answer.set_value({reply.status, std::move(reply.body)});
        });
    return answer.get_future().get();
  }

 private:
  TemporaryDirectory directory_;
  TemporaryDirectory buckets_;
  TemporaryDirectory records_;
  std::unique_ptr<tables::engine::RocksDatabase> database_;
  std::unique_ptr<tables::transfer::TableTransfers> transfers_;
  std::unique_ptr<access::TableAccess> access_;
  access::TableCaller root_;
};

}  // namespace

std::unique_ptr<Backend> StartBackend() { return std::make_unique<EngineBackend>(); }

}  // namespace tintype::conformance
