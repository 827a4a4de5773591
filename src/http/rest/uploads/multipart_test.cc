#include "http/rest/uploads/multipart.h"

#include <gmock/gmock.h>

#include "base/strings.h"
#include "http/rest/protocol/reasons.h"

namespace tintype::http::rest {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string Part(std::string_view disposition, std::string_view content) {
  return StrCat("--b\r\nContent-Disposition: form-data; ", disposition, "\r\n\r\n", content,
                "\r\n");
}

/// What became of a form.
struct Form {
  Status status = OkStatus();
  std::string file;
  std::string filename;
  std::map<std::string, std::string> fields;
};

Status AnyName(std::string_view /*name*/) { return OkStatus(); }

Form Read(std::string_view body, size_t piece_bytes) {
  Form form;
  const auto take = [&](std::string_view bytes) {
    form.file += bytes;
    return OkStatus();
  };
  MultipartReader reader("b", take, AnyName);
  while (form.status.ok() && !body.empty()) {
    form.status = reader.Write(body.substr(0, piece_bytes));
    body.remove_prefix(std::min(piece_bytes, body.size()));
  }
  if (form.status.ok()) {
    form.status = reader.Finish();
  }
  form.filename = reader.filename();
  form.fields = reader.fields();
  return form;
}

// Proves that a form is read the same in pieces of any size, with content that looks like a
// boundary, parts around the file, and text before and after.
TEST(MultipartTest, ReadsFormsInPieces) {
  const std::string content("\0\r\n--\r\n-- b\r\n--a\r\n--b-not\r", 25);
  const std::string body = StrCat("preamble\r\n", Part("name=\"title\"", "The sea"),
                                  Part("name=\"file\"; filename=\"a \\\"b\\\".jpg\"", content),
                                  Part("name=\"tag\"", ""), "--b--\r\nepilogue");
  for (size_t bytes = 1; bytes <= body.size(); ++bytes) {
    SCOPED_TRACE(bytes);
    const Form form = Read(body, bytes);
    ASSERT_FALSE(form.status.ok());  // `--b-not` begins with the boundary.
  }
  const std::string good = StrCat(
      "preamble\r\n", Part("name=\"title\"", "The sea"),
      Part("name=\"file\"; filename=\"a \\\"b\\\".jpg\"", std::string_view(content).substr(0, 16)),
      Part("name=\"tag\"", ""), "--b--\r\nepilogue");
  for (size_t bytes = 1; bytes <= good.size(); ++bytes) {
    SCOPED_TRACE(bytes);
    const Form form = Read(good, bytes);
    ASSERT_TRUE(form.status.ok()) << form.status.error().message();
    ASSERT_EQ(form.file, content.substr(0, 16));
    ASSERT_EQ(form.filename, "a \"b\".jpg");
    ASSERT_THAT(form.fields, ElementsAre(Pair("tag", ""), Pair("title", "The sea")));
  }
}

// Proves that the headers of a part are read however a client writes them.
TEST(MultipartTest, ReadsHeadersOfAllClients) {
  const struct {
    std::string headers;
    std::string filename;
  } cases[] = {
      {R"(Content-Disposition: form-data; name="file"; filename="a.jpg")", "a.jpg"},
      {R"(Content-Disposition: form-data; filename="a.jpg"; name="file")", "a.jpg"},
      {R"(content-disposition:FORM-DATA;Name="file";FileName="a.jpg")", "a.jpg"},
      {R"(Content-Disposition: form-data; name=file; filename=a.jpg)", "a.jpg"},
      {R"(Content-Disposition: form-data; name = "file" ; filename = "a.jpg" )", "a.jpg"},
      {R"(Content-Disposition: form-data; name="file")", ""},
      {R"(Content-Disposition: form-data; name="file"; filename=)", ""},
      {R"(Content-Disposition: form-data; name="file"; filename="a;name=b.jpg")", "a;name=b.jpg"},
      {R"(Content-Disposition: form-data; name="file"; filename="a%22b%0D%0ac%41.jpg")",
       "a\"b\r\nc%41.jpg"},
      {R"(Content-Disposition: form-data; name="file"; filename="a \"b\" \\ c.jpg")",
       R"(a "b" \ c.jpg)"},
      {R"(Content-Disposition: form-data; name="file"; filename="C:\fakepath\z.jpg")",
       R"(C:\fakepath\z.jpg)"},
      {R"(Content-Disposition: form-data; name="file"; filename="a.jpg)", "a.jpg"},
      {R"(Content-Disposition: form-data; name="file"; filename="n.jpg"; filename*=UTF-8''n%C3%AF.jpg)",
       "n\xC3\xAF.jpg"},
      {R"(Content-Disposition: form-data; name="file"; filename*=utf-8'en'a%20b.jpg; filename=n.jpg)",
       "a b.jpg"},
      {R"(Content-Disposition: form-data; name="file"; filename*=UTF-8''%zz; filename=n.jpg)",
       "n.jpg"},
      {R"(Content-Disposition: form-data; name="file"; filename*=latin-1''%EF; filename=n.jpg)",
       "n.jpg"},
      {"Content-Type: image/jpeg; name=\"x.jpg\"\r\nContent-Disposition: form-data; "
       "name=\"file\"; filename=\"y.jpg\"",
       "y.jpg"},
  };
  for (const auto& [headers, filename] : cases) {
    SCOPED_TRACE(headers);
    const Form form = Read(StrCat("--b\r\n", headers, "\r\n\r\nbytes\r\n--b--"), 1000);
    ASSERT_TRUE(form.status.ok()) << form.status.error().message();
    EXPECT_EQ(form.file, "bytes");
    EXPECT_EQ(form.filename, filename);
  }
}

// Proves that what is no form, or none that we take, is refused and says why.
TEST(MultipartTest, RefusesWhatItCannotRead) {
  const std::string file = Part("name=\"file\"; filename=\"a\"", "bytes");
  std::string many;
  for (int i = 0; i < 21; ++i) {
    many += Part(StrCat("name=\"", i, "\""), "");
  }
  const struct {
    std::string body;
    std::string reason;
  } cases[] = {
      {"", "ends before"},
      {"no form at all", "ends before"},
      {file, "ends before"},
      {StrCat(Part("name=\"title\"", "x"), "--b--"), "no part named `file`"},
      {StrCat(file, file, "--b--"), "more than one part"},
      {"--bx\r\n", "line break"},
      {StrCat("--b\r\nX: ", std::string(9000, 'x')), "too long"},
      {"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--", "no name"},
      {StrCat(Part("name=\"title\"", std::string(17'000, 'x')), "--b--"), "too long"},
      {StrCat(many, "--b--"), "too many"},
  };
  for (const auto& [body, reason] : cases) {
    const Form form = Read(body, 1000);
    ASSERT_FALSE(form.status.ok()) << body.substr(0, 100);
    EXPECT_EQ(form.status.error().kind(), ErrorKind::kValidation);
    EXPECT_THAT(form.status.error().message(), HasSubstr(reason));
  }
}

// Proves that whoever takes the bytes may refuse them, and is given no more.
TEST(MultipartTest, PassesOnThatBytesAreRefused) {
  int calls = 0;
  const auto take = [&](std::string_view) -> Status {
    ++calls;
    return Error(ErrorKind::kLimitExceeded, "enough");
  };
  MultipartReader reader("b", take, AnyName);
  const Status written = reader.Write(Part("name=\"file\"", std::string(1000, 'x')));
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message(), "enough");
  EXPECT_EQ(calls, 1);
}

// Proves that a part can be refused by its name, before its content.
TEST(MultipartTest, PassesOnThatANameIsRefused) {
  const auto take = [](std::string_view) { return OkStatus(); };
  const auto check = [](std::string_view name) {
    return name == "rating" ? Status(Error::Validation("no rating")) : OkStatus();
  };
  MultipartReader reader("b", take, check);
  EXPECT_TRUE(reader.Write(Part("name=\"title\"", "The sea")).ok());
  const Status written =
      reader.Write("--b\r\nContent-Disposition: form-data; name=\"rating\"\r\n\r\n");
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message(), "no rating");
}

TEST(MultipartTest, RefusesAPartThatComesAgain) {
  const Form form = Read(StrCat(Part("name=\"title\"", "a"), Part("name=\"title\"", "b")), 1000);
  ASSERT_FALSE(form.status.ok());
  EXPECT_TRUE(form.status.error().Is(reasons::kRepeatedField));
}

TEST(MultipartTest, FindsTheBoundary) {
  EXPECT_EQ(MultipartBoundary("multipart/form-data; boundary=abc"), "abc");
  EXPECT_EQ(MultipartBoundary("Multipart/Form-Data; charset=utf-8; boundary=\"a b\""), "a b");
  EXPECT_EQ(MultipartBoundary("multipart/form-data; boundary=abc; charset=utf-8"), "abc");
  EXPECT_EQ(MultipartBoundary("multipart/form-data;Boundary=\"a;b\""), "a;b");
  EXPECT_EQ(MultipartBoundary("multipart/form-data"), std::nullopt);
  EXPECT_EQ(MultipartBoundary("multipart/form-data; boundary="), std::nullopt);
  EXPECT_EQ(MultipartBoundary(StrCat("multipart/form-data; boundary=", std::string(71, 'x'))),
            std::nullopt);
  EXPECT_EQ(MultipartBoundary("image/jpeg; boundary=abc"), std::nullopt);
}

}  // namespace
}  // namespace tintype::http::rest
