#pragma once

#include <utility>

#include "http/dynamodb/testing/fake_answers.h"
#include "tables/language/transfers.h"

namespace tintype::http::dynamodb::testing {

/// Transfers of nothing.
class FakeTransfers : public tables::Transfers, public FakeAnswers {
 public:
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
};

}  // namespace tintype::http::dynamodb::testing
