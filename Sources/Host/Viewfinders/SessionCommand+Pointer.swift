// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import ViewfinderLink

extension SessionCommand {
  /// Returns the commands for the text of a ``PointerPacket``: none if the text is malformed.
  static func commands(pointerPacket text: String) -> [SessionCommand] {
    PointerPacket(text).map { [.pointer(PointerEvent($0.phase, x: $0.x, y: $0.y, contact: $0.contact))] }
      ?? []
  }
}
