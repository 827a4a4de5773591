#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tables/language/transfers.h"

namespace tintype::http::dynamodb::testing {

/// Transfers of nothing: notes which operation was asked for and answers each with an empty
/// response. Answers at once, on the calling thread. Not thread-safe.
class FakeTransfers : public tables::Transfers {
 public:
  std::vector<std::string> calls;

  void ExportTableToPointInTime(tables::ExportTableRequest,
                                tables::Done<tables::ExportResponse> done) override {
    Answer("ExportTableToPointInTime", std::move(done));
  }
  void DescribeExport(tables::DescribeExportRequest,
                      tables::Done<tables::ExportResponse> done) override {
    Answer("DescribeExport", std::move(done));
  }
  void ListExports(tables::ListExportsRequest,
                   tables::Done<tables::ListExportsResponse> done) override {
    Answer("ListExports", std::move(done));
  }
  void ImportTable(tables::ImportTableRequest, tables::Done<tables::ImportResponse> done) override {
    Answer("ImportTable", std::move(done));
  }
  void DescribeImport(tables::DescribeImportRequest,
                      tables::Done<tables::ImportResponse> done) override {
    Answer("DescribeImport", std::move(done));
  }
  void ListImports(tables::ListImportsRequest,
                   tables::Done<tables::ListImportsResponse> done) override {
    Answer("ListImports", std::move(done));
  }

 private:
  template <typename Response>
  void Answer(std::string operation, tables::Done<Response> done) {
    calls.push_back(std::move(operation));
    done(Response{});
  }
};

}  // namespace tintype::http::dynamodb::testing
