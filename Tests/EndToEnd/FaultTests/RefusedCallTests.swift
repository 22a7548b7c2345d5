// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Tests of the store under a seccomp filter that refuses calls which the host can replace.
@Suite(.serialized, .timeLimit(campaignTimeLimit)) struct RefusedCallTests {
  /// The rules of the filters, as shell arguments.
  static let filters = [
    "openat2=ENOSYS", "openat2=EPERM", "renameat2=EINVAL",
    "renameat2=EPERM openat2=EACCES copy_file_range=EPERM",
  ]

  @Test(arguments: filters)
  func `every operation succeeds under a filter that refuses the replaced calls`(filter: String) async throws
  {
    let outcome = try await runOnThread {
      let harness = try FaultHarness()
      return try harness.shell(
        """
        filter=$1/darkroom-call-filter worker=$1/darkroom-store-worker place=$2 calls=$3
        MARK=$place/marks; export MARK
        mkdir "$place/t"
        "$worker" "$place/t/root" bundle "$place/one" 1 && "$worker" "$place/t/root" bundle "$place/two" 2 || exit 99
        while read -r order; do
          "$filter" $calls -- "$worker" "$place/t/root" $order || { echo "failed: $order"; exit 98; }
        done <<EOF
        session full tell
        session many
        launch small
        abandon
        ingest
        ingest stays
        invalidate
        post
        install $place/one 1
        update $place/two 2
        context set old
        context replace old new
        context clear
        uninstall
        session small tell
        recover
        check
        EOF
        """,
        [harness.programs, harness.directory, filter]
      )
    }
    #expect(outcome.code == 0 && outcome.output.hasSuffix("right\n"), "\(outcome.output)")
  }

  @Test(arguments: ["full-session", "launched-session", "ingest"])
  func `loses and duplicates nothing if a host without renameat2 flags dies at any call`(operation: String)
    async throws
  {
    let result = try await runOnThread {
      let harness = try FaultHarness()
      var campaign = try OperationCampaign(harness, try #require(StoreOperation.named(operation)))
      campaign.worker = try harness.filtered("renameat2=EINVAL")
      let points = try campaign.points()
      // The fallback calls. A photo uses linkat(2), which never replaces a file.
      let calls = points.filter { ["renameat", "linkat", "unlinkat"].contains($0.call) }
      #expect(operation != "ingest" || calls.contains { $0.call == "linkat" })
      return try campaign.run(FaultInjection.kills(isExhaustive ? points : calls))
    }
    result.report()
  }
}

extension FaultHarness {
  /// Writes a script that runs the store worker under a filter, and returns its path.
  fileprivate func filtered(_ calls: String) throws -> String {
    let path = "\(directory)/worker"
    let script = """
      #!/bin/sh
      exec '\(programPath("darkroom-call-filter"))' \(calls) -- '\(programPath("darkroom-store-worker"))' "$@"

      """
    try FileSystem.replaceContents(path, with: Array(script.utf8), mode: 0o755)
    return path
  }
}
