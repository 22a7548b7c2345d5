// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

/// Tests of the store under a seccomp filter that refuses calls which the host can replace.
@Suite(.serialized, .timeLimit(longestWalk)) struct RefusedCallTests {
  /// The rules of the filters, as shell arguments.
  static let filters = [
    "openat2=ENOSYS", "openat2=EPERM", "renameat2=EINVAL",
    "renameat2=EPERM openat2=EACCES copy_file_range=EPERM",
  ]

  @Test(arguments: filters)
  func `every operation keeps its promises without the calls`(filter: String) async throws {
    let outcome = try await onThread {
      let bench = try FaultBench()
      return try bench.shell(
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
        [bench.programs, bench.directory, filter]
      )
    }
    #expect(outcome.code == 0 && outcome.output.hasSuffix("right\n"), "\(outcome.output)")
  }

  @Test(arguments: ["full-session", "launched-session", "ingest"])
  func `nothing is lost or doubled wherever a host dies that renames without flags`(operation: String)
    async throws
  {
    let result = try await onThread {
      let bench = try FaultBench()
      var walk = try Walk(bench, try #require(StoreOperation.named(operation)))
      walk.worker = try bench.filtered("renameat2=EINVAL")
      let points = try walk.points()
      // The fallback calls. A photo uses linkat(2), which never replaces a file.
      let calls = points.filter { ["renameat", "linkat", "unlinkat"].contains($0.call) }
      #expect(operation != "ingest" || calls.contains { $0.call == "linkat" })
      return try walk.run(Injury.deaths(triesEverything ? points : calls))
    }
    result.report()
  }
}

extension FaultBench {
  /// Writes a script that runs the store worker under a filter, and returns its path.
  fileprivate func filtered(_ calls: String) throws -> String {
    let path = "\(directory)/worker"
    let script = """
      #!/bin/sh
      exec '\(program("darkroom-call-filter"))' \(calls) -- '\(program("darkroom-store-worker"))' "$@"

      """
    try FileSystem.replaceContents(path, with: Array(script.utf8), mode: 0o755)
    return path
  }
}
