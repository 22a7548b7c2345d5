// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// What can be wrong with PipeWire, beside what can be wrong with any camera.
package enum PipeWireFault: Hashable, Sendable {
  /// The library is not there.
  case noLibrary
  /// No server can be reached.
  case noServer(SystemCallError)
  /// A descriptor that was handed over is no connection.
  case noConnection(descriptor: Int32, SystemCallError)
  /// The server has said nothing for so many seconds.
  case mute(seconds: Int)
  /// The server has no camera.
  case noCamera
  /// The server has no camera of this name or number.
  case noSuchNode(String)
  /// The server refuses the camera, or everything; its words.
  case refused(String)
  /// No frame has come for so many seconds, even when the stream was begun again.
  case silent(seconds: Int)
  /// The server is gone.
  case lost
  /// Something was refused that is no matter of rights; the server's words.
  case failed(String)
}

extension PipeWireFault: CustomStringConvertible {
  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .noLibrary:
      "libpipewire-0.3.so.0 cannot be loaded, which brings its frames; install libpipewire-0.3-0"
    case .noServer(let error):
      "no PipeWire can be reached (\(error.errno)): start it ('systemctl --user start pipewire wireplumber'), and "
        + "see that XDG_RUNTIME_DIR is that of the user whose it is"
    case .noConnection(let descriptor, let error):
      "descriptor \(descriptor) is no connection with PipeWire (\(error.errno)); hand on the one that the camera "
        + "portal has opened (OpenPipeWireRemote), and each for one command"
    case .mute(let seconds):
      "PipeWire has not answered for \(seconds) seconds; a connection of the portal waits until the person has said "
        + "yes, and one that hangs is ended by 'systemctl --user restart pipewire wireplumber'"
    case .noCamera:
      "PipeWire has no camera that may be seen here; plug one in, or see with 'wpctl status' what it has"
    case .noSuchNode(let node):
      "PipeWire has no camera \"\(node)\"; 'darkroom camera list' shows the cameras that there are"
    case .refused(let words):
      "PipeWire does not give this camera\(Self.quoting(words)); allow it in the settings of your desktop, or ask "
        + "the portal for it"
    case .silent(let seconds):
      "PipeWire has given no frame of it for \(seconds) seconds, not even when it was asked again; start the program "
        + "again that gives them, or try 'systemctl --user restart pipewire wireplumber'"
    case .lost:
      "PipeWire has ended; 'systemctl --user start pipewire wireplumber' starts it, for a new session"
    case .failed(let words):
      "PipeWire gives no frames of it\(Self.quoting(words)); try 'systemctl --user restart pipewire wireplumber'"
    }
  }

  /// Somebody else's words in brackets, if there are any.
  private static func quoting(_ words: String) -> String { words.isEmpty ? "" : " (\(words))" }
}
