#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"

namespace tintype::http::rest {
namespace {

/// The schemas that routes name, as JSON.
constexpr std::array<std::pair<std::string_view, std::string_view>, 27> kSchemas = {{
    {"AuthState",
     R"({"type":"object","required":["setupRequired"],"properties":{"setupRequired":{"type":"boolean"},"signUpOpen":{"type":"boolean"}}})"},
    {"SignUp",
     R"({"type":"object","required":["email","username","password"],"properties":{"email":{"type":"string"},"username":{"type":"string","minLength":3,"maxLength":40},"password":{"type":"string","minLength":10},"setupToken":{"type":"string"},"session":{"enum":["cookie","token"]}}})"},
    {"LogIn",
     R"({"type":"object","required":["password"],"properties":{"email":{"type":"string"},"username":{"type":"string"},"password":{"type":"string"},"session":{"enum":["cookie","token"]}}})"},
    {"Refresh",
     R"({"type":"object","properties":{"refreshToken":{"type":"string"},"session":{"enum":["cookie","token"]}}})"},
    {"SignedIn",
     R"({"type":"object","required":["user"],"properties":{"accessToken":{"type":"string"},"refreshToken":{"type":"string"},"tokenType":{"type":"string"},"csrfToken":{"type":"string"},"user":{"$ref":"#/components/schemas/User"}}})"},
    {"User",
     R"({"type":"object","required":["userId","email","username"],"properties":{"userId":{"type":"string"},"email":{"type":"string"},"username":{"type":"string"},"administrator":{"type":"boolean"},"csrfToken":{"type":"string"}}})"},
    {"Limit",
     R"({"type":"object","required":["limit"],"properties":{"limit":{"type":"integer"}}})"},
    {"Jwks",
     R"({"type":"object","properties":{"keys":{"type":"array","items":{"type":"object"}}}})"},
    {"Upload", R"({"type":"string","format":"binary"})"},
    {"UploadForm",
     R"({"type":"object","required":["file"],"properties":{"file":{"type":"string","format":"binary"},"title":{"type":"string","maxLength":255},"albumId":{"type":"string"},"visibility":{"enum":["private","shared"]},"expiresIn":{"type":"integer","minimum":1}}})"},
    {"UploadPart", R"({"type":"string","format":"binary"})"},
    {"DirectUpload",
     R"({"type":"object","required":["size"],"properties":{"filename":{"type":"string","maxLength":255},"size":{"type":"integer","minimum":1},"contentType":{"type":"string"},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"title":{"type":"string","maxLength":255},"albumId":{"type":"string"},"visibility":{"enum":["private","shared"]},"expiresIn":{"type":"integer","minimum":1}}})"},
    {"DirectUploadLink",
     R"({"type":"object","required":["id","method","url","headers","expiresAt"],"properties":{"id":{"type":"string"},"method":{"const":"PUT"},"url":{"type":"string"},"headers":{"type":"object","additionalProperties":{"type":"string"}},"expiresAt":{"type":"string","format":"date-time"}}})"},
    {"Image",
     R"({"type":"object","required":["id","userId","originalFilename","mimeType","fileSize","processingStatus","createdAt","updatedAt","uploadedAt","version","visibility"],"properties":{"id":{"type":"string"},"userId":{"type":"string"},"albumId":{"type":"string"},"originalFilename":{"type":"string"},"mimeType":{"type":"string"},"fileSize":{"type":"integer"},"processedSize":{"type":"integer"},"width":{"type":"integer"},"height":{"type":"integer"},"aspectRatio":{"type":"number"},"s3Key":{"type":"string"},"s3Bucket":{"type":"string"},"thumbnailKey":{"type":"string"},"imageUrl":{"type":"string"},"thumbnailUrl":{"type":"string"},"processingStatus":{"enum":["pending","processing","completed","failed"]},"processingError":{"type":"string"},"format":{"type":"string"},"quality":{"type":"integer"},"title":{"type":"string"},"description":{"type":"string"},"altText":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"exifData":{"type":"object","properties":{"camera":{"type":"string"},"lens":{"type":"string"},"iso":{"type":"integer"},"shutterSpeed":{"type":"string"},"takenAt":{"type":"string"},"aperture":{"type":"number"},"focalLength":{"type":"number"},"gps":{"type":"object","required":["latitude","longitude"],"properties":{"latitude":{"type":"number"},"longitude":{"type":"number"},"altitude":{"type":"number"}}}}},"blurhash":{"type":"string"},"dominantColors":{"type":"array","items":{"type":"string"}},"perceptualHash":{"type":"string"},"createdAt":{"type":"string","format":"date-time"},"updatedAt":{"type":"string","format":"date-time"},"uploadedAt":{"type":"string","format":"date-time"},"trashedAt":{"type":"string","format":"date-time"},"ttl":{"type":"integer"},"version":{"type":"integer"},"revision":{"type":"integer"},"visibility":{"enum":["private","shared"]},"sizes":{"type":"object","additionalProperties":{"type":"string"}}}})"},
    {"ImagePage",
     R"({"type":"object","required":["items","lastEvaluatedKey","hasMore"],"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Image"}},"lastEvaluatedKey":{"type":["string","null"]},"hasMore":{"type":"boolean"}}})"},
    {"SimilarImages",
     R"({"type":"object","required":["items","complete"],"properties":{"items":{"type":"array","items":{"type":"object","required":["distance","image"],"properties":{"distance":{"type":"integer"},"image":{"$ref":"#/components/schemas/Image"}}}},"complete":{"type":"boolean"}}})"},
    {"ImageChange",
     R"({"type":"object","properties":{"title":{"type":["string","null"],"maxLength":255},"description":{"type":["string","null"],"maxLength":10000},"altText":{"type":["string","null"],"maxLength":255},"albumId":{"type":["string","null"]},"tags":{"type":["array","null"],"maxItems":20,"items":{"type":"string"}}}})"},
    {"Deletion",
     R"({"type":"object","required":["id","state"],"properties":{"id":{"type":"string"},"state":{"enum":["trashed","deleting"]}}})"},
    {"FeedPage",
     R"({"type":"object","required":["images","lastEvaluatedKey"],"properties":{"images":{"type":"array","items":{"$ref":"#/components/schemas/FeedImage"}},"lastEvaluatedKey":{"type":["string","null"]}}})"},
    {"FeedImage",
     R"({"type":"object","required":["imageId","uploadedBy","uploaded_datetime"],"properties":{"imageId":{"type":"string"},"uploadedBy":{"type":"string"},"uploaded_datetime":{"type":"string","format":"date-time"},"lastModified":{"type":"string"},"s3Key":{"type":"string"},"images":{"type":"object"},"persons":{"type":"array","items":{"type":"string"}},"tags":{"type":"array","items":{"type":"string"}},"title":{"type":"string"},"description":{"type":"string"},"altText":{"type":"string"},"width":{"type":"integer"},"height":{"type":"integer"},"blurhash":{"type":"string"},"sizes":{"type":"object","additionalProperties":{"type":"string"}}}})"},
    {"JobRequest",
     R"({"type":"object","required":["imageId","provider","operations"],"properties":{"imageId":{"type":"string"},"provider":{"enum":["local","stub"]},"operations":{"type":"array","minItems":1,"maxItems":32,"items":{"type":"object","required":["op"],"properties":{"op":{"enum":["rotate","crop","auto_levels","black_and_white"]},"degrees":{"enum":[90,180,270]},"left":{"type":"integer"},"top":{"type":"integer"},"width":{"type":"integer"},"height":{"type":"integer"}}}}}})"},
    {"Job",
     R"({"type":"object","required":["jobId","status"],"properties":{"jobId":{"type":"string"},"userId":{"type":"string"},"imageId":{"type":"string"},"status":{"enum":["QUEUED","PROCESSING","EDITING","COMPLETED","FAILED"]},"createdAt":{"type":"integer"},"updatedAt":{"type":"integer"},"provider":{"type":"string"},"editResult":{"type":"object"},"error":{"type":"object"}}})"},
    {"JobPage",
     R"({"type":"object","required":["items","lastEvaluatedKey","hasMore"],"properties":{"items":{"type":"array","items":{"$ref":"#/components/schemas/Job"}},"lastEvaluatedKey":{"type":["string","null"]},"hasMore":{"type":"boolean"}}})"},
    {"LinkRequest",
     R"({"type":"object","description":"One of w, h and size is needed; fit=cover needs w and h. A picture is never made larger than it is.","properties":{"w":{"type":"integer","minimum":1,"maximum":4096},"h":{"type":"integer","minimum":1,"maximum":4096},"size":{"enum":["LARGE","MEDIUM","SMALL","THUMB"]},"fit":{"enum":["inside","cover"],"default":"inside"},"format":{"enum":["webp","jpeg","avif","auto"],"default":"auto"},"q":{"type":"integer","minimum":1,"maximum":100}}})"},
    {"Link",
     R"({"type":"object","required":["url","expiresAt"],"properties":{"url":{"type":"string"},"expiresAt":{"type":"string","format":"date-time"}}})"},
    {"Record", R"({"type":"object"})"},
    {"Problem",
     R"({"type":"object","required":["title","status","code","requestId"],"properties":{"type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"detail":{"type":"string"},"code":{"type":"string"},"requestId":{"type":"string"}}})"},
}};

/// A body: the types that it can be of, with their schemas.
void WriteContent(json::Writer& json,
                  std::initializer_list<std::pair<std::string_view, std::string_view>> types) {
  json.Name("content");
  json.OpenObject();
  for (const auto& [type, schema] : types) {
    json.Name(type);
    json.OpenObject();
    json.Name("schema");
    json.OpenObject();
    json.Text("$ref", StrCat("#/components/schemas/", schema));
    json.CloseObject();
    json.CloseObject();
  }
  json.CloseObject();
}

/// The headers of tus 1.0, whose specification says more of each.
template <typename Write>
void WriteTusParameters(const Route& route, const Write& write) {
  const std::string_view id = route.operation_id;
  if (id == "createUpload" || id == "getUpload" || id == "appendUpload") {
    write("Tus-Resumable", "header", true, "string");
  }
  if (id == "createUpload") {
    write("Upload-Length", "header", true, "integer");
    // filename, title, albumId, visibility, expiresIn; each value in base64.
    write("Upload-Metadata", "header", false, "string");
  }
  if (id == "appendUpload") {
    write("Upload-Offset", "header", true, "integer");
  }
  if (id == "createUpload" || id == "appendUpload") {
    write("Upload-Checksum", "header", false, "string");
  }
}

/// What the answers of tus say in their headers. `X-Image-Id` is there once the last byte is: it
/// names the image, which is one that the account had before if `X-Image-Duplicate` is there too.
void WriteAnswerHeaders(json::Writer& json, const Route& route) {
  const std::string_view id = route.operation_id;
  std::vector<std::string_view> names;
  if (id == "getUploadOptions" || id == "getUploadOptionsOf") {
    names = {"Tus-Version", "Tus-Extension", "Tus-Max-Size", "Tus-Checksum-Algorithm"};
  } else if (id == "createUpload") {
    names = {"Location", "Upload-Offset", "Upload-Expires", "X-Image-Id", "X-Image-Duplicate"};
  } else if (id == "appendUpload") {
    names = {"Upload-Offset", "Upload-Expires", "X-Image-Id", "X-Image-Duplicate"};
  } else if (id == "getUpload") {
    names = {"Upload-Offset",  "Upload-Length", "Upload-Metadata",
             "Upload-Expires", "X-Image-Id",    "X-Image-Duplicate"};
  }
  if (names.empty()) {
    return;
  }
  json.Name("headers");
  json.OpenObject();
  for (const std::string_view name : names) {
    json.Name(name).Raw(R"({"schema":{"type":"string"}})");
  }
  json.CloseObject();
}

/// Those of a path, and for lists, `limit` and `cursor`.
void WriteParameters(json::Writer& json, const Route& route) {
  const auto write = [&](std::string_view name, std::string_view in, bool required,
                         std::string_view type) {
    json.OpenObject();
    json.Text("name", name);
    json.Text("in", in);
    json.Bool("required", required);
    json.Name("schema");
    json.OpenObject();
    json.Text("type", type);
    json.CloseObject();
    json.CloseObject();
  };
  json.Name("parameters");
  json.OpenArray();
  if (route.path.find("{id}") != std::string_view::npos) {
    write("id", "path", true, "string");
  }
  if (route.answer_schema.ends_with("Page")) {
    write("limit", "query", false, "integer");
    write("cursor", "query", false, "string");
  }
  if (route.operation_id == "changeImage") {
    write("If-Match", "header", true, "string");
  }
  if (route.operation_id == "putUploadContent") {
    write("expires", "query", true, "integer");
    write("signature", "query", true, "string");
  }
  WriteTusParameters(route, write);
  if (route.operation_id == "uploadImage") {
    for (const std::string_view name : {"visibility", "albumId", "title"}) {
      write(name, "query", false, "string");
    }
    write("expiresIn", "query", false, "integer");
    write("X-Filename", "header", false, "string");
  }
  if (route.operation_id == "listSimilarImages") {
    write("limit", "query", false, "integer");
    write("distance", "query", false, "integer");
  }
  if (route.operation_id == "deleteImage") {
    write("permanent", "query", false, "boolean");
  }
  json.CloseArray();
}

/// What an operation answers beside its success: bytes that the account had already are no new
/// image.
void WriteOtherAnswers(json::Writer& json, const Route& route) {
  if (route.operation_id != "uploadImage" && route.operation_id != "completeUpload") {
    return;
  }
  json.Name("200");
  json.OpenObject();
  json.Text("description",
            "The account had these bytes already: this is that image, out of the trash if it was "
            "there");
  WriteContent(json, {{"application/json", route.answer_schema}});
  json.CloseObject();
}

void WriteOperation(json::Writer& json, const Route& route) {
  json.OpenObject();
  json.Text("operationId", route.operation_id);
  json.Text("summary", route.summary);
  WriteParameters(json, route);
  if (!route.request_schema.empty()) {
    json.Name("requestBody");
    json.OpenObject();
    json.Bool("required", route.operation_id != "createUpload");
    if (route.operation_id == "uploadImage") {
      WriteContent(json, {{"image/*", "Upload"}, {"multipart/form-data", "UploadForm"}});
    } else if (route.request_schema == "Upload") {
      WriteContent(json, {{"image/*", "Upload"}});
    } else if (route.request_schema == "UploadPart") {
      WriteContent(json, {{"application/offset+octet-stream", "UploadPart"}});
    } else {
      WriteContent(json, {{"application/json", route.request_schema}});
    }
    json.CloseObject();
  }
  json.Name("responses");
  json.OpenObject();
  json.Name(std::to_string(route.success));
  json.OpenObject();
  json.Text("description", "Done");
  WriteAnswerHeaders(json, route);
  if (!route.answer_schema.empty()) {
    WriteContent(json, {{"application/json", route.answer_schema}});
  }
  json.CloseObject();
  WriteOtherAnswers(json, route);
  json.Name("default");
  json.OpenObject();
  json.Text("description", "What went wrong");
  WriteContent(json, {{"application/problem+json", "Problem"}});
  json.CloseObject();
  json.CloseObject();
  if (route.access == Access::kAccount) {
    json.Name("security");
    json.Raw(R"([{"bearer":[]},{"cookie":[]}])");
  }
  json.CloseObject();
}

std::string Lower(std::string_view text) {
  std::string lower;
  for (const char c : text) {
    lower.push_back(ToLower(c));
  }
  return lower;
}

}  // namespace

Response GetOpenApi(Api& /*api*/, const Call& /*call*/) {
  json::Writer json;
  json.OpenObject();
  json.Text("openapi", "3.1.0");
  json.Name("info");
  json.Raw(R"({"title":"Tintype","version":"1"})");
  json.Name("paths");
  json.OpenObject();
  std::map<std::string_view, std::vector<const Route*>> by_path;
  for (const Route& route : Routes()) {
    by_path[route.path].push_back(&route);
  }
  for (const auto& [path, routes] : by_path) {
    json.Name(path);
    json.OpenObject();
    for (const Route* route : routes) {
      json.Name(Lower(route->method));
      WriteOperation(json, *route);
    }
    json.CloseObject();
  }
  json.CloseObject();
  json.Name("components");
  json.OpenObject();
  json.Name("schemas");
  json.OpenObject();
  for (const auto& [name, schema] : kSchemas) {
    json.Name(name).Raw(schema);
  }
  json.CloseObject();
  json.Name("securitySchemes");
  json.Raw(
      R"({"bearer":{"type":"http","scheme":"bearer","bearerFormat":"JWT"},"cookie":{"type":"apiKey","in":"cookie","name":"tintype_access"}})");
  json.CloseObject();
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

}  // namespace tintype::http::rest
