#pragma once

#include <string_view>

#include "base/result.h"
#include "contract/contract.h"
#include "http/rest/protocol/url.h"
#include "json/value.h"

/// Whether a request says only what its operation takes, by the names in the contract. A name that
/// is not there would be a wish that nobody hears; a near one is suggested.
namespace tintype::http::rest {

/// Errors: kUnknownParameter and kRepeatedParameter, which name it.
Status CheckParameters(const contract::Operation& operation, const Target& target);

/// The members of a JSON body, nested ones too. Null takes anything, as do values of another type
/// than the contract has: their reader says so. Errors: kUnknownField and kRepeatedField.
Status CheckFields(const contract::Fields* fields, const json::Value& body);

/// The name of a form's part. Errors: kUnknownField.
Status CheckPart(const contract::Fields& form, std::string_view name);

}  // namespace tintype::http::rest
