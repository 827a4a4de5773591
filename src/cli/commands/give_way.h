#pragma once

namespace tintype::cli {

/// Everything else on the machine goes first, wherever it waits for a processor or a disk. For a
/// thread that ends with a long command: nobody can take it back.
void GiveWay();

}  // namespace tintype::cli
