// SPDX-License-Identifier: Apache-2.0

import Testing

/// Tests of launching a prewarmed session on a file system without RENAME_EXCHANGE.
@Suite struct RenameExchangeTests {
  @Test(arguments: ["EINVAL", "EOPNOTSUPP", "ENOSYS"])
  func `launches a prewarmed session without RENAME_EXCHANGE`(refusal: String) async throws {
    let outcome = try await runOnThread {
      let harness = try FaultHarness()
      return try harness.shell(
        """
        root=$2/root
        "$1/darkroom-store-worker" "$root" session least || exit 99
        "$1/darkroom-faults" --under "$2" --first 'renameat2 *begun.json*' --do "fail=$3" -- \\
          "$1/darkroom-store-worker" "$root" launch small || exit 98
        [ "$(ls "$root"/apps/*/container/SessionContent | wc -l)" = 2 ] || { ls -R "$root"; exit 97; }
        "$1/darkroom-store-worker" "$root" look
        """,
        [harness.programs, harness.directory, refusal]
      )
    }
    #expect(outcome.code == 0, "\(outcome.output)")
  }
}
