// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Tests of a sandboxed extension that imports all of Foundation.
@Suite(.timeLimit(.minutes(20)), .waiting) struct FoundationExtensionTests {
  /// Runs the extension with a script in a simulated environment.
  private func simulate(_ script: String) throws {
    let home = try TestHome(.regular)
    home.variables = ["TMPDIR=\(home.directory)"]
    let path = try home.write("script", script)
    let bundle = "\(home.programs.foundationBundle)/Extensions/Foundation"
    let result = try home.darkroom("simulate", ["--script", path, bundle])
    #expect(result.code == 0, "\(result.text)\(result.errors)")
    try home.expectNothingLeft()
  }

  @Test func `timers and blocks of the main run loop run, and may wait for a queue that starts the camera`()
    throws
  {
    try simulate(
      """
      await listening within 20s
      expect log "block" within 20s
      expect log "tick 3" within 20s
      expect log "restarted true" within 20s
      expect frame within 20s
      dismiss
      expect no log "tick 4"
      expect outcome dismissed user exited 0
      expect no refusal
      """
    )
  }

  @Test func `a press may wait for a queue that starts the camera`() throws {
    try simulate(
      """
      await log "restarted true" within 20s
      press
      expect frame within 20s
      dismiss
      expect outcome dismissed user exited 0
      """
    )
  }

  @Test func `the log contains a line that the extension printed before it was killed`() throws {
    try simulate(
      """
      await listening within 20s
      await log "tick 3" within 20s
      quit
      expect log "a printed line"
      expect outcome dismissed user
      """
    )
  }
}
