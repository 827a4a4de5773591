#include "blobs/s3/internal/documents.h"

#include <algorithm>
#include <optional>
#include <pugixml.hpp>

#include "base/numbers.h"
#include "base/percent.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "blobs/s3/internal/checksums.h"

namespace tintype::blobs::s3 {
namespace {

Error Unexpected(std::string_view what) {
  return Error::Io("The blob storage gave an answer that cannot be understood")
      .WithNote(StrCat("expected ", what));
}

/// A document whose root has that name; its children are what is looked at. Namespaces differ from
/// service to service and are ignored.
class Document {
 public:
  explicit Document(std::string_view body)
      : valid_(document_.load_buffer(body.data(), body.size(), pugi::parse_default)) {}

  bool Is(std::string_view name) const { return valid_ && name == root().name(); }
  pugi::xml_node root() const { return document_.document_element(); }

 private:
  pugi::xml_document document_;
  bool valid_;
};

std::string TextOf(const pugi::xml_node& node, const char* name) { return node.child_value(name); }

/// What `encoding-type=url` made of a text.
std::optional<std::string> UrlDecoded(std::string text) {
  std::ranges::replace(text, '+', ' ');
  return PercentDecode(text);
}

/// ISO 8601, with or without a fraction; whole seconds count.
std::optional<int64_t> TimeOf(std::string_view text) {
  const size_t end = std::min(text.find('.'), text.find('Z'));
  const auto ms = ParseTimeText(StrCat(text.substr(0, end), ".000Z"));
  return ms.ok() ? std::optional(*ms) : std::nullopt;
}

std::string Print(const pugi::xml_document& document) {
  struct : pugi::xml_writer {
    void write(const void* data, size_t size) override {
      text.append(static_cast<const char*>(data), size);
    }
    std::string text{};
  } writer;
  document.save(writer, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return std::move(writer.text);
}

pugi::xml_node Root(pugi::xml_document& document, const char* name) {
  pugi::xml_node root = document.append_child(name);
  root.append_attribute("xmlns") = "http://s3.amazonaws.com/doc/2006-03-01/";
  return root;
}

void AppendText(pugi::xml_node& node, const char* name, const std::string& text) {
  node.append_child(name).text().set(text.c_str());
}

}  // namespace

ErrorText ParseError(std::string_view body) {
  const Document document(body);
  if (!document.Is("Error")) {
    return {};
  }
  return {TextOf(document.root(), "Code"), TextOf(document.root(), "Message")};
}

Result<ObjectPage> ParseObjects(std::string_view body) {
  const Document document(body);
  if (!document.Is("ListBucketResult")) {
    return Unexpected("ListBucketResult");
  }
  ObjectPage page;
  for (const pugi::xml_node& node : document.root().children("Contents")) {
    const auto key = UrlDecoded(TextOf(node, "Key"));
    const auto bytes = ParseInteger<uint64_t>(TextOf(node, "Size"));
    const auto modified_ms = TimeOf(TextOf(node, "LastModified"));
    if (!key || !bytes || !modified_ms) {
      return Unexpected("Key, Size and LastModified of each object");
    }
    page.objects.push_back({*key, {.bytes = *bytes, .modified_ms = *modified_ms}});
  }
  page.truncated = TextOf(document.root(), "IsTruncated") == "true";
  page.next_token = TextOf(document.root(), "NextContinuationToken");
  if (page.truncated && page.next_token.empty()) {
    return Unexpected("NextContinuationToken");
  }
  return page;
}

Result<UploadPage> ParseUploads(std::string_view body) {
  const Document document(body);
  if (!document.Is("ListMultipartUploadsResult")) {
    return Unexpected("ListMultipartUploadsResult");
  }
  UploadPage page;
  for (const pugi::xml_node& node : document.root().children("Upload")) {
    const auto key = UrlDecoded(TextOf(node, "Key"));
    const auto begun_ms = TimeOf(TextOf(node, "Initiated"));
    if (!key || !begun_ms) {
      return Unexpected("Key and Initiated of each upload");
    }
    page.uploads.push_back({*key, TextOf(node, "UploadId"), *begun_ms});
  }
  const auto next_key = UrlDecoded(TextOf(document.root(), "NextKeyMarker"));
  page.next_upload_id = TextOf(document.root(), "NextUploadIdMarker");
  page.truncated = TextOf(document.root(), "IsTruncated") == "true";
  if (!next_key || (page.truncated && next_key->empty())) {
    return Unexpected("NextKeyMarker");
  }
  page.next_key = *next_key;
  return page;
}

Result<std::string> ParseUploadId(std::string_view body) {
  const Document document(body);
  std::string id = TextOf(document.root(), "UploadId");
  if (!document.Is("InitiateMultipartUploadResult") || id.empty()) {
    return Unexpected("UploadId");
  }
  return id;
}

Result<std::string> ParseETag(std::string_view body) {
  const Document document(body);
  const std::string etag = TextOf(document.root(), "ETag");
  if (document.Is("Error") || Unquoted(etag).empty()) {
    return Unexpected("ETag");
  }
  return std::string(Unquoted(etag));
}

Result<ErrorText> ParseDeleteErrors(std::string_view body) {
  const Document document(body);
  if (!document.Is("DeleteResult")) {
    return Unexpected("DeleteResult");
  }
  const pugi::xml_node first = document.root().child("Error");
  return ErrorText{TextOf(first, "Code"), TextOf(first, "Message")};
}

std::string WriteParts(const std::vector<std::string>& etags) {
  pugi::xml_document document;
  pugi::xml_node root = Root(document, "CompleteMultipartUpload");
  for (size_t i = 0; i < etags.size(); ++i) {
    pugi::xml_node part = root.append_child("Part");
    AppendText(part, "PartNumber", std::to_string(i + 1));
    AppendText(part, "ETag", StrCat("\"", etags[i], "\""));
  }
  return Print(document);
}

std::string WriteDelete(const std::vector<std::string>& keys) {
  pugi::xml_document document;
  pugi::xml_node root = Root(document, "Delete");
  AppendText(root, "Quiet", "true");
  for (const std::string& key : keys) {
    pugi::xml_node object = root.append_child("Object");
    AppendText(object, "Key", key);
  }
  return Print(document);
}

std::string WriteLocation(std::string_view region) {
  pugi::xml_document document;
  pugi::xml_node root = Root(document, "CreateBucketConfiguration");
  AppendText(root, "LocationConstraint", std::string(region));
  return Print(document);
}

}  // namespace tintype::blobs::s3
