// SPDX-License-Identifier: Apache-2.0

/// Python code that the terminal scripts of the tests share.
enum TerminalReader {
  /// A Python function `words(manager)` that waits for output on a pseudoterminal, and returns nothing after
  /// the last user has closed it.
  ///
  /// The kernel can, rarely, report the close while the last output is still in transit, because it checks
  /// for output before users. After that report there are no writers, so one more read returns the rest.
  static let script = """
    def words(manager):
        for _ in range(2):
            try: return os.read(manager, 65536)
            except OSError: pass
        return b""

    """
}
