// SPDX-License-Identifier: Apache-2.0

internal import PolicyWords

extension Console {
  /// Writes a table.
  func print(_ table: TextTable) {
    for line in table.lines { print(line) }
  }
}
