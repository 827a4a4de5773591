#include "darkroom/pages/answer.h"

#include <exception>
#include <new>
#include <utility>
#include <variant>

#include "base/strings.h"
#include "darkroom/pages/pdf.h"
#include "darkroom/pages/text_file.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom::pages {
namespace {

Reply FailureOf(const Error& error) {
  return Failure{KindOf(error), CleanText(error.message(), kFailureMessageBytesMax)};
}

template <typename Answer>
Reply ReplyOf(Result<Answer> answer) {
  return answer.ok() ? Reply(*std::move(answer)) : FailureOf(answer.error());
}

constexpr std::string_view kPdfType = "application/pdf";

Reply Carry(const Order& order, TextDrawing& drawing) {
  if (const auto* probe = std::get_if<ProbeDocumentRequest>(&order.request)) {
    return ReplyOf(probe->media_type == kPdfType ? ProbePdf(*probe) : ProbeTextFile(*probe));
  }
  if (const auto* page = std::get_if<DocumentPageRequest>(&order.request)) {
    return ReplyOf(page->media_type == kPdfType ? DrawPdf(*page, order.limits)
                                                : DrawTextFile(*page, order.limits, drawing));
  }
  if (const auto* text = std::get_if<DocumentTextRequest>(&order.request)) {
    return ReplyOf(text->media_type == kPdfType ? ReadPdf(*text) : ReadTextFile(*text));
  }
  return Failure{FailureKind::kInvalidRequest, "This helper does something else"};
}

}  // namespace

Reply AnswerOrder(std::string_view bytes, std::span<const int> descriptors, TextDrawing& drawing) {
  const auto order = DecodeOrder(bytes, descriptors);
  if (!order.ok()) {
    return FailureOf(order.error());
  }
  // Libraries throw when there is no memory, and for some of what they cannot read.
  try {
    return Carry(*order, drawing);
  } catch (const std::bad_alloc&) {
    return Failure{FailureKind::kOutOfMemory, "The document needs more memory than is allowed"};
  } catch (const std::exception& error) {
    return Failure{
        FailureKind::kCorrupt,
        CleanText(StrCat("The document cannot be read: ", error.what()), kFailureMessageBytesMax)};
  }
}

}  // namespace tintype::darkroom::pages
