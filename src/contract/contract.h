#pragma once

#include <span>
#include <string_view>

/// The API's contract, `openapi.json` in this folder, as the program has it: tools/contract.py
/// makes these tables of it when the program is built.
namespace tintype::contract {

/// By which names the members of a JSON value go. Null where anything goes.
struct Fields {
  enum class Kind {
    kObject,    // `members` are all that there may be.
    kList,      // The one member is what every element is.
    kVariants,  // Which member it is, the text of `discriminator` says.
  };
  struct Member {
    std::string_view name;
    const Fields* fields = nullptr;
  };
  Kind kind = Kind::kObject;
  std::span<const Member> members;
  std::string_view discriminator;
};

/// Who may call an operation: `x-access` of the document. `access/rest` decides by it.
enum class Access {
  kAnyone,   ///< Nobody has to be known.
  kSession,  ///< A person who is signed in; never an API key. For what guards the account itself.
  // Accounts, and API keys that have the scope of that name.
  kRead,
  kUpload,
  kEdit,
  kDelete,
  kAdminister,  ///< Administrators, and those of their API keys that have the scope.
};

/// The name of an access in the document, which is the scope's too where there is one.
std::string_view NameOf(Access access);

/// One operation of the contract.
struct Operation {
  std::string_view id;
  std::string_view method;
  std::string_view path;  // With `{name}` for what varies.
  Access access = Access::kSession;
  bool takes_body = false;
  std::span<const std::string_view> query;
  const Fields* json = nullptr;  // Of a body that is JSON.
  const Fields* form = nullptr;  // Of a body that is a form.
};

/// All operations, sorted by id.
std::span<const Operation> Operations();

/// REQUIRES: the contract has an operation of that id, as every route's is (routes_test.cc).
const Operation& OperationOf(std::string_view id);

/// The document itself, byte for byte as it is checked in.
std::string_view ContractText();

}  // namespace tintype::contract
