// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

/// Runs commands on a read-only state root: read-only commands work, and other commands report the cause.
///
/// Uses the built program because the mount namespace belongs to a process and its children.
@Suite(.enabled(if: BuiltProgram.canMakePrivateMounts, "this user may not make private mounts"))
struct ReadOnlyRootTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// Runs shell commands in a mount namespace with a read-only state root. The function `darkroom` runs the
  /// program.
  private func run(_ commands: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try fixture.write("commands.sh", commands)
    try runShell(
      """
      unshare --mount --map-root-user sh -ec '
        mount --bind \(fixture.root) \(fixture.root)
        mount -o remount,bind,ro \(fixture.root)
        darkroom() { \(BuiltProgram.path) --root \(fixture.root) "$@"; }
        . \(fixture.directory)/commands.sh'
      """,
      sourceLocation: sourceLocation
    )
  }

  @Test func `read-only commands work on a read-only root with a session to recover`() throws {
    try fixture.install()
    let id = try fixture.migrateSession()
    let lost = try fixture.workspace().id
    #expect(lost != id)
    try run(
      """
      darkroom list | grep -q org.example.camera.capture
      darkroom content list org.example.camera | grep -q \(id)
      test "$(darkroom ps --json | tr -d ' \\n')" = '{"sessions":[],"trash":0}'
      test "$(darkroom context get org.example.camera)" = null
      darkroom content export org.example.camera --all --to \(fixture.directory)/out
      test "$(cat \(fixture.directory)/out/\(id)/picture.txt)" = picture
      """
    )
  }

  @Test(
    arguments: [
      "install BUNDLE", "context set org.example.camera 1", "recover", "uninstall org.example.camera",
      "content invalidate org.example.camera --all", "content watch org.example.camera --timeout 1ms",
    ]
  )
  func `commands that write report a read-only root`(command: String) throws {
    try fixture.install()
    try fixture.migrateSession()
    let words = command.split(separator: " ").map { $0 == "BUNDLE" ? fixture.bundle : String($0) }
    try run(
      """
      darkroom \(words.joined(separator: " ")) 2>\(fixture.directory)/notes && exit 99 || test $? = 73
      grep -qi 'read-only' \(fixture.directory)/notes
      """
    )
    #expect(try fixture.run("content", "list", CommandFixture.app).lines.count == 2)
  }
}
