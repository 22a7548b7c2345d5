// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A sandboxed extension that is written as for iOS, with the capture graph of AVFoundation.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestPrograms.has("ffprobe")), .waiting)
struct GraphExtensionTests {
  /// Runs the extension with a script.
  private func run(_ script: String) throws -> (TestHome, TestHome.Session) {
    let home = try TestHome(.regular)
    try home.install(home.programs.graphBundle)
    let session = try home.run(
      "graph",
      script: script,
      options: [
        "--camera", "pattern:64x48@30", "--microphone", "tone:48000x2", "--allow", "camera", "--allow",
        "microphone",
      ]
    )
    return (home, session)
  }

  /// Checks that the movie is in H.264, that it has as many frames as its table states, and sound, and that the sandbox
  /// refused no call of the encoder.
  private func expectMovie(_ session: TestHome.Session) throws {
    try runShell(
      """
      cd '\(session.content)'
      counts=$(ffprobe -v error -count_frames -select_streams v -show_entries stream=nb_frames,nb_read_frames \\
        -of default=nk=1:nw=1 movie-2.mov | sort -u); echo "$counts"; [ "$counts" -gt 0 ]
      ffprobe -v error -select_streams v -show_entries stream=codec_name -of csv=p=0 movie-2.mov | grep -x h264
      ffprobe -v error -select_streams a -show_entries stream=codec_name -of csv=p=0 movie-2.mov | grep -x pcm_s16le
      """
    )
    #expect(session.record["refusals"]?.elements?.isEmpty ?? true, "\(session.record)")
  }

  @Test func `takes a photo, records a movie with sound, and reads frames on its own queue`() throws {
    let (home, session) = try run(
      "await listening within 20s\nwait 500ms\npress\nwait 500ms\npress\nwait 1500ms\npress\nwait 500ms\ndismiss\n"
    )
    defer { withExtendedLifetime(home) {} }
    #expect(session.outcome == "dismissed", "\(session.record)")
    #expect(session.files == ["photo.jpg", "movie-2.mov", "notes", "counts"])
    let notes = try session.text("notes").split(separator: "\n").map(String.init)
    #expect(
      notes == [
        "AVCaptureSessionDidStartRunningNotification", "willBegin 64x48", "willCapture", "didCapture",
        "didFinishProcessing", "didFinishCapture", "didStartRecording 2", "didFinishRecording 0",
        "AVCaptureSessionDidStopRunningNotification", "AVCaptureSessionWasInterruptedNotification",
      ]
    )
    let counts = try session.text("counts").split(separator: " ").compactMap { Int($0) }
    #expect(counts.count >= 2 && counts[0] > 20 && counts[1] > 48000)
    #expect(try session.bytes("photo.jpg").starts(with: [0xFF, 0xD8, 0xFF, 0xE1]))
    try expectMovie(session)
  }

  @Test func `completes the movie if the session is dismissed during the recording`() throws {
    let (home, session) = try run(
      "await listening within 20s\nwait 500ms\npress\nwait 500ms\npress\nwait 1500ms\ndismiss\n"
    )
    defer { withExtendedLifetime(home) {} }
    #expect(session.outcome == "dismissed", "\(session.record)")
    // The code of AVError.sessionWasInterrupted.
    #expect(try session.text("notes").contains("didFinishRecording -11818"))
    try expectMovie(session)
  }

  @Test func `leaves a movie without its last second if the extension is terminated during the recording`()
    throws
  {
    let (home, session) = try run(
      "await listening within 20s\nwait 500ms\npress\nwait 500ms\npress\nawait file movie-2.mov within 20s\n"
        + "wait 3500ms\npress secondary\nwait 10s\n"
    )
    defer { withExtendedLifetime(home) {} }
    #expect(session.outcome == "signaled", "\(session.record)")
    try runShell(
      """
      cd '\(session.content)'
      errors=$(ffprobe -v error -count_frames movie-2.mov 2>&1 >/dev/null); echo "$errors"; [ -z "$errors" ]
      count() { ffprobe -v error -select_streams v "$@" -of csv=p=0 movie-2.mov | wc -l; }
      # Each second begins with a keyframe. The movie has at least two of three and a half seconds.
      frames=$(count -show_entries packet=pts)
      keyframes=$(count -skip_frame nokey -show_entries frame=pts_time)
      echo "$frames $keyframes"; [ "$keyframes" -ge 2 ] && [ "$frames" -gt "$keyframes" ]
      """
    )
  }
}
