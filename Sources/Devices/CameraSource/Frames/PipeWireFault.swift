// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// A failure that is specific to PipeWire cameras.
package enum PipeWireFault: Hashable, Sendable {
  /// The client library is unavailable.
  case noLibrary
  /// The connection to a server failed.
  case noServer(SystemCallError)
  /// An inherited descriptor is not a connection to PipeWire.
  case notAConnection(descriptor: Int32, SystemCallError)
  /// The server did not respond for `seconds`.
  case notResponding(seconds: Int)
  /// The server has no camera.
  case noCamera
  /// The server has no camera with this name, serial or ID.
  case noSuchNode(String)
  /// The server denied access to the camera or to everything. The associated value is its message.
  case permissionDenied(String)
  /// The node delivered no frame for `seconds`, even after the stream was restarted.
  case noFrames(seconds: Int)
  /// The connection to the server was lost.
  case disconnected
  /// A request failed for another reason than permissions. The associated value is the server's message.
  case failed(String)
}

extension PipeWireFault: CustomStringConvertible {
  /// The failure, with a fix.
  package var description: String {
    switch self {
    case .noLibrary:
      "libpipewire-0.3.so.0, which delivers the frames, cannot be loaded; install libpipewire-0.3-0"
    case .noServer(let error):
      "the connection to PipeWire failed (\(error.errno)); start it with 'systemctl --user start pipewire wireplumber', "
        + "and check that XDG_RUNTIME_DIR is the directory of the user who runs it"
    case .notAConnection(let descriptor, let error):
      "descriptor \(descriptor) is not a connection to PipeWire (\(error.errno)); pass the descriptor that the camera "
        + "portal has opened (OpenPipeWireRemote), and open a new descriptor for each command"
    case .notResponding(let seconds):
      "PipeWire did not respond for \(seconds) seconds; allow the access in the dialog of the portal, or run "
        + "'systemctl --user restart pipewire wireplumber'"
    case .noCamera:
      "PipeWire has no camera that is visible here; plug in a camera, or list the devices with 'wpctl status'"
    case .noSuchNode(let node):
      "PipeWire has no camera '\(node)'; 'darkroom camera list' lists the cameras"
    case .permissionDenied(let words):
      "PipeWire denied access to the camera\(Self.quoting(words)); allow it in the settings of the desktop, or request it "
        + "from the portal"
    case .noFrames(let seconds):
      "PipeWire delivered no frame for \(seconds) seconds, even after a restart of the stream; restart the program that "
        + "provides the frames, or run 'systemctl --user restart pipewire wireplumber'"
    case .disconnected:
      "the connection to PipeWire was lost; run 'systemctl --user start pipewire wireplumber', and start a new session"
    case .failed(let words):
      "PipeWire delivers no frames\(Self.quoting(words)); run 'systemctl --user restart pipewire wireplumber'"
    }
  }

  /// Returns a message of the server in parentheses, or an empty string.
  private static func quoting(_ words: String) -> String { words.isEmpty ? "" : " (\(words))" }
}
