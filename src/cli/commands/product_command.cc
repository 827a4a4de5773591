#include "cli/commands/product_command.h"

#include <sys/stat.h>

#include <optional>

#include "cli/admin/client.h"
#include "cli/audit/audited_commands.h"
#include "cli/audit/open_audit.h"
#include "cli/gallery/product_parts.h"
#include "cli/settings/data_directory.h"
#include "cli/tables/sealing.h"
#include "cli/tables/tables.h"

namespace tintype::cli {

Result<AdminFields> DoOnProduct(const ServeConfig& config, const AdminMessage& request,
                                const ProductCommand& command, const ProgressReport& report) {
  ASSIGN_OR_RETURN(const DataDirectory directory, OpenDataDirectory(config.data_dir));
  ASSIGN_OR_RETURN(std::optional<AdminClient> server, AdminClient::Connect(directory.path));
  if (server) {
    return server->Call(request, report);
  }
  // RocksDB creates its files for everyone to read.
  ::umask(077);
  ASSIGN_OR_RETURN(const auto tables, OpenTables(directory, config));
  metrics::Registry registry;  // Nobody looks at it.
  ASSIGN_OR_RETURN(
      const auto parts,
      ProductParts::Open(config, directory, PublicUrlOf(config, config.http_address.port), *tables,
                         registry));
  const ProductHost host{parts->product, /*has_workers=*/false,
                         [&] { return SecretOf(directory, *tables); }};
  if (!IsAudited(request.name)) {
    return command(host)(request.fields, report);
  }
  ASSIGN_OR_RETURN(const auto audit, OpenAudit(config, directory, *tables));
  return Audited(request.name, command(host), *audit)(request.fields, report);
}

}  // namespace tintype::cli
