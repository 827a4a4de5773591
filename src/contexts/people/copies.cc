#include "contexts/people/copies.h"

#include "contexts/common/expression.h"
#include "contexts/common/item.h"
#include "contexts/people/internal/keys.h"
#include "contexts/people/people.h"

namespace tintype::contexts::people {

ItemSubject SubjectOf(const tables::Item& key) {
  const ItemReader read(key);
  const std::string sort = read.Text("SK");
  if (sort.starts_with(kUploadedByPrefix)) {
    return {ItemSubject::Kind::kImage, read.Text("PK")};
  }
  if (sort.starts_with(kPersonPrefix)) {
    return {ItemSubject::Kind::kTagging, read.Text("PK")};
  }
  return {};
}

Piece SetTagsAndPersons(std::string_view id, std::string_view email,
                        const std::vector<std::string>& tags,
                        const std::vector<std::string>& persons, std::string_view now) {
  return UpdatePiece(
      std::string(kTable), ImageKey(id, email),
      UpdateIf("SET tags = :tags, persons = :persons, lastModified = :now", "attribute_exists(PK)",
               {{},
                {{":tags", TextListValue(tags)},
                 {":persons", TextListValue(persons)},
                 {":now", tables::Value::String(now)}}}),
      Error::NotFound("There is no such image."));
}

}  // namespace tintype::contexts::people
