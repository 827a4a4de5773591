#include "words/entities.h"

#include <array>
#include <utility>

#include "words/characters.h"
#include "words/internal/entity_rules.h"
#include "words/text_tokens.h"

namespace tintype::words {
namespace {

using internal::RuleInput;
using internal::RuleMatch;
using internal::RuleResult;

/// The rules that look at whole tokens, in their order: of two that match, the first counts.
constexpr std::array kRules = {internal::MatchAddress, internal::MatchDate, internal::MatchQuantity,
                               internal::MatchPerson, internal::MatchOrganization};

uint32_t CharactersIn(std::string_view text) {
  uint32_t characters = 0;
  for (size_t at = 0; at < text.size(); at += DecodeFirst(text.substr(at)).bytes) {
    ++characters;
  }
  return characters;
}

Entity EntityOf(const RuleInput& input, const RuleMatch& match) {
  const TextToken& first = input.tokens[match.first];
  const TextToken& last = input.tokens[match.last];
  const uint32_t begin = first.begin + match.skip_bytes;
  const uint32_t end = match.last_bytes == 0 ? last.end : last.begin + match.last_bytes;
  Entity entity;
  entity.type = match.type;
  entity.score = match.score;
  entity.text = input.text.substr(begin, end - begin);
  entity.begin =
      first.begin_character + CharactersIn(input.text.substr(first.begin, match.skip_bytes));
  entity.end =
      match.last_bytes == 0
          ? last.end_character
          : last.begin_character + CharactersIn(input.text.substr(last.begin, match.last_bytes));
  return entity;
}

/// The places in a run of letters without blanks, from a byte of it on. Characters are counted as
/// it goes: a run may be as long as the text.
void FindPlacesInRun(const RuleInput& input, size_t at, uint32_t offset,
                     std::vector<Entity>& entities) {
  const TextToken& token = input.tokens[at];
  const std::string_view run = token.In(input.text);
  uint32_t counted = 0;
  uint32_t character = token.begin_character;
  while (offset < run.size() && entities.size() < kEntitiesMax) {
    const RuleResult match = internal::MatchPlace(input, at, offset);
    if (!match) {
      return;
    }
    character += CharactersIn(run.substr(counted, match->skip_bytes - counted));
    Entity entity;
    entity.type = match->type;
    entity.score = match->score;
    entity.text = run.substr(match->skip_bytes, match->last_bytes - match->skip_bytes);
    entity.begin = character;
    character += CharactersIn(entity.text);
    entity.end = character;
    entities.push_back(std::move(entity));
    counted = offset = match->last_bytes;
  }
}

bool IsRun(const TextToken& token) { return token.is_word() && IsUnspaced(token.script); }

}  // namespace

std::string_view NameOf(EntityType type) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"DATE", "LOCATION", "ORGANIZATION", "OTHER", "PERSON", "QUANTITY"});
  return kNames[static_cast<size_t>(type)];
}

std::vector<Entity> FindEntities(std::string_view text, std::string_view language) {
  text = Bounded(text);
  const std::vector<TextToken> tokens = Tokenize(text);
  const RuleInput input{text, language, tokens};
  std::vector<Entity> entities;
  for (size_t at = 0; at < tokens.size() && entities.size() < kEntitiesMax;) {
    RuleResult match;
    for (const auto& rule : kRules) {
      match = rule(input, at);
      if (match) {
        break;
      }
    }
    if (!match && !IsRun(tokens[at])) {
      match = internal::MatchPlace(input, at, 0);
    }
    if (match) {
      entities.push_back(EntityOf(input, *match));
      at = match->last;
      if (match->last_bytes != 0 && IsRun(tokens[at])) {
        FindPlacesInRun(input, at, match->last_bytes, entities);
      }
    } else if (IsRun(tokens[at])) {
      FindPlacesInRun(input, at, 0, entities);
    }
    ++at;
  }
  return entities;
}

}  // namespace tintype::words
