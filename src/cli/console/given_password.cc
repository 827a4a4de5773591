#include "cli/console/given_password.h"

#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string_view>

#include "base/files.h"
#include "base/random.h"
#include "base/strings.h"

namespace tintype::cli {
namespace {

/// More than any password, so that a wrong file is noticed before it is read.
constexpr size_t kFileBytesMax = 8192;

/// Keeps a terminal from showing what is typed, for as long as it lives.
class Unseen {
 public:
  Unseen() {
    if (::isatty(STDIN_FILENO) == 1 && ::tcgetattr(STDIN_FILENO, &before_) == 0) {
      termios silent = before_;
      silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
      changed_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0;
      std::fputs("Password: ", stderr);
    }
  }
  ~Unseen() {
    if (changed_) {
      ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
      std::fputs("\n", stderr);
    }
  }
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;

 private:
  termios before_{};
  bool changed_ = false;
};

Result<std::string> ReadLineOfInput() {
  const Unseen unseen;
  std::string line;
  for (char c = 0; std::cin.get(c) && c != '\n' && line.size() <= kFileBytesMax;) {
    line.push_back(c);
  }
  if (line.empty()) {
    return Error::Validation("There is no password in standard input.");
  }
  return line;
}

}  // namespace

std::string MakeUpPassword() {
  // 32 of them, so that every byte is as likely; without l, 1, o and 0.
  constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789";
  static_assert(kLetters.size() == 32);
  constexpr size_t kLength = 20;
  constexpr size_t kGroup = 5;
  const std::string bytes = RandomBytes(kLength);
  std::string password;
  for (size_t i = 0; i < kLength; ++i) {
    if (i > 0 && i % kGroup == 0) {
      password.push_back('-');
    }
    password.push_back(kLetters[static_cast<unsigned char>(bytes[i]) % kLetters.size()]);
  }
  return password;
}

Result<std::string> ReadGivenPassword(const std::string& file) {
  std::string text;
  if (file == "-") {
    ASSIGN_OR_RETURN(text, ReadLineOfInput());
  } else {
    ASSIGN_OR_RETURN(text, ReadFile(file, kFileBytesMax));
    if (text.ends_with('\n')) {
      text.pop_back();
    }
  }
  if (text.ends_with('\r')) {
    text.pop_back();
  }
  if (text.find('\n') != std::string::npos) {
    return Error::Validation(
        StrCat(file, " has more than one line: the password is to be its only one."));
  }
  return text;
}

}  // namespace tintype::cli
