// Text that others have written, as a terminal may be given it.
#pragma once

#include <string>
#include <string_view>

namespace ingot::cli {

// One line of UTF-8. Ends of lines and tabs become spaces; what would move the cursor, hide or reorder text (control
// characters, escape sequences, marks of direction, invisible characters) is shown as "\u001b". No space at the end.
[[nodiscard]] std::string plainText(std::string_view text);

// The same with every run of spaces as one, so that it cannot pass for several columns.
[[nodiscard]] std::string plainCell(std::string_view text);

}  // namespace ingot::cli
