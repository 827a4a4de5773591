#include "pipeline/proxy_step.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/common/transaction.h"
#include "darkroom/failure.h"
#include "flows/images/delete_image.h"
#include "flows/images/proxy.h"
#include "flows/media_keys.h"

namespace tintype::pipeline {
namespace {

using contexts::backlog::Work;
using contexts::catalog::Image;

Status MakeProxy(flows::Product& product, darkroom::Darkroom& av, const Work& work,
                 const Image& image) {
  const std::string& bucket = product.config.images_bucket;
  ASSIGN_OR_RETURN(
      const auto original,
      product.blobs.OpenLocal({bucket, flows::StoredKey(image.id, 0, flows::Size::kOriginal)}));
  ASSIGN_OR_RETURN(
      const auto writer,
      product.blobs.Create({bucket, flows::StoredKey(image.id, 0, flows::Size::kProxy)}));
  darkroom::ProxyRequest request;
  request.input = original->descriptor();
  request.media_type = image.mime_type;
  ASSIGN_OR_RETURN(request.output, blobs::DescriptorOf(*writer));
  request.duration_ms = std::llround(image.media.duration.value_or(0) * 1000);
  ASSIGN_OR_RETURN(const darkroom::Proxy made, av.MakeProxy(image.user_id, request));
  RETURN_IF_ERROR(writer->Commit());
  return flows::FinishProxy(product, work, made.bytes);
}

/// The image is gone, and with it whatever was stored of it since.
Status ForgetProxy(flows::Product& product, const Work& work) {
  RETURN_IF_ERROR(flows::DeleteBlobs(product, work.uuid));
  return contexts::Transaction(StrCat("forget ", work.id, " ", work.token))
      .Add(product.backlog.Complete(work))
      .Commit(product.database, product.retries);
}

Status DoProxy(flows::Product& product, darkroom::Darkroom& av, const Work& work) {
  ASSIGN_OR_RETURN(const std::optional<Image> image, product.catalog.Find(work.uuid));
  if (!image) {
    return ForgetProxy(product, work);
  }
  const Status done = MakeProxy(product, av, work, *image);
  if (!done.ok() && done.error().kind() == ErrorKind::kNotFound) {
    ASSIGN_OR_RETURN(const std::optional<Image> now, product.catalog.Find(work.uuid));
    return now ? done : ForgetProxy(product, work);
  }
  return done;
}

}  // namespace

Step ProxyStep(flows::Product& product, darkroom::Darkroom& av) {
  Step step;
  step.run = [&](const Work& work) { return DoProxy(product, av, work); };
  // An original that is not there will not come back by itself.
  step.is_permanent = [](const Error& error) {
    return darkroom::IsPermanent(error) || error.kind() == ErrorKind::kNotFound;
  };
  step.when_dead = [&](const Work& work, const Error& error) {
    return flows::FailProxy(product, work, error.message());
  };
  step.when_lost = [&](const Work& work) { return flows::DeleteBlobsOfGone(product, work.uuid); };
  return step;
}

}  // namespace tintype::pipeline
