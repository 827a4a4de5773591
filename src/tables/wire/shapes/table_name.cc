#include "tables/wire/internal/table_name.h"

#include "base/strings.h"
#include "tables/language/limits.h"

namespace tintype::tables::wire {

Status CheckTableNameLength(std::string_view name_or_arn) {
  if (TableNameOf(name_or_arn).size() < limits::kNameBytesMin) {
    return Error::Validation(StrCat("TableName must be at least ", limits::kNameBytesMin,
                                    " characters long and at most ", limits::kNameBytes,
                                    " characters long"));
  }
  return OkStatus();
}

bool IsTableArn(std::string_view arn) {
  return arn.starts_with("arn:") && TableNameOf(arn).size() < arn.size();
}

}  // namespace tintype::tables::wire
