// SPDX-License-Identifier: Apache-2.0

/// What programs of tests that are terminals have in common.
enum TerminalWords {
  /// Python: `words(manager)` waits for what has come to a terminal; it is empty when nobody is there any more.
  ///
  /// The kernel can say that the last user is gone while their last words are still on their way, though seldom: it looks
  /// for words first, and for users then. Once it has said so nobody can write, and what the next look finds is all.
  static let reader = """
    def words(manager):
        for _ in range(2):
            try: return os.read(manager, 65536)
            except OSError: pass
        return b""

    """
}
