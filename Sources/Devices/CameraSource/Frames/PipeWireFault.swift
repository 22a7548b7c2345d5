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
      "libpipewire-0.3.so.0 cannot be loaded, which brings its frames; install libpipewire-0.3-0"
    case .noServer(let error):
      "no PipeWire can be reached (\(error.errno)): start it ('systemctl --user start pipewire wireplumber'), and "
        + "see that XDG_RUNTIME_DIR is that of the user whose it is"
    case .notAConnection(let descriptor, let error):
      "descriptor \(descriptor) is no connection with PipeWire (\(error.errno)); hand on the one that the camera "
        + "portal has opened (OpenPipeWireRemote), and each for one command"
    case .notResponding(let seconds):
      "PipeWire has not answered for \(seconds) seconds; a connection of the portal waits until the person has said "
        + "yes, and one that hangs is ended by 'systemctl --user restart pipewire wireplumber'"
    case .noCamera:
      "PipeWire has no camera that may be seen here; plug one in, or see with 'wpctl status' what it has"
    case .noSuchNode(let node):
      "PipeWire has no camera \"\(node)\"; 'darkroom camera list' shows the cameras that there are"
    case .permissionDenied(let words):
      "PipeWire does not give this camera\(Self.quoting(words)); allow it in the settings of your desktop, or ask "
        + "the portal for it"
    case .noFrames(let seconds):
      "PipeWire has given no frame of it for \(seconds) seconds, not even when it was asked again; start the program "
        + "again that gives them, or try 'systemctl --user restart pipewire wireplumber'"
    case .disconnected:
      "PipeWire has ended; 'systemctl --user start pipewire wireplumber' starts it, for a new session"
    case .failed(let words):
      "PipeWire gives no frames of it\(Self.quoting(words)); try 'systemctl --user restart pipewire wireplumber'"
    }
  }

  /// Returns a message of the server in parentheses, or an empty string.
  private static func quoting(_ words: String) -> String { words.isEmpty ? "" : " (\(words))" }
}
