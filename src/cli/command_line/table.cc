#include "cli/commands/table.h"

#include <memory>

#include "cli/command_line/command.h"

namespace tintype::cli {
namespace {

constexpr const char* kTableFooter = R"(
An export has the layout of DynamoDB's own exports to S3, below DIR/AWSDynamoDB: gzip files with a line of JSON
per item, and manifests with their checksums. 'table.json' beside them is an addition: it describes how to
create the table. A table with point-in-time recovery is exported as of one moment, --time or now. A table
without it is read as a Scan does: writes that happen meanwhile may or may not be included. The files are not
encrypted.

An import reads all *.json and *.json.gz files in DIR, including those of an export from AWS. Imported items
replace items with the same key. If the table does not exist, it is created from 'table.json'. Lines that
cannot be imported are skipped and counted, and the exit code is 1.

Examples
  tintype table export --table photos --to /mnt/disk/photos
  tintype table export --table photos --to /mnt/disk/photos --time 2030-01-31T12:00:00Z
  tintype table import --table photos-copy --from /mnt/disk/photos)";

/// What the commands take.
struct TableCommandArguments {
  SettingValues flags;
  TableArguments table;
};

}  // namespace

void DescribeTable(CLI::App& app, Run& run) {
  const auto arguments = std::make_shared<TableCommandArguments>();
  CLI::App* table =
      app.add_subcommand("table", "Export a table to files, or import one from files.");
  table->require_subcommand(1);
  table->footer(kTableFooter);
  CLI::App* out = table->add_subcommand("export", "Write a table's items to files.");
  CLI::App* in = table->add_subcommand("import", "Write the items in files to a table.");
  out->add_option("--to", arguments->table.folder,
                  "The folder to export to. Created if it does not exist.")
      ->required()
      ->option_text("DIR");
  out->add_option("--time", arguments->table.time,
                  "Export the table as of this moment, such as 2030-01-31T12:00:00Z. Requires\n"
                  "point-in-time recovery.\nDefault: now")
      ->option_text("TIME");
  in->add_option("--from", arguments->table.folder, "The folder to import from.")
      ->required()
      ->option_text("DIR");
  for (CLI::App* command : {out, in}) {
    command->add_option("--table", arguments->table.table, "The table's name.")
        ->required()
        ->option_text("NAME");
    AddDataSettings(*command, arguments->flags);
    command->add_flag("--json", arguments->table.json, "Print one JSON object per line.");
  }
  RunsWithData(*out, run, arguments,
               [](const TableCommandArguments& taken, const ServeConfig& config) {
                 return RunTableExport(taken.table, config);
               });
  RunsWithData(*in, run, arguments,
               [](const TableCommandArguments& taken, const ServeConfig& config) {
                 return RunTableImport(taken.table, config);
               });
}

}  // namespace tintype::cli
