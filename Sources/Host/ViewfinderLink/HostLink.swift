// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives

/// The socket from a viewfinder helper to its host.
package final class HostLink {
  private let socket: Descriptor
  /// Whether packets may still contain descriptors.
  private var takesDescriptors = true
  /// Whether more than one ring can arrive. Otherwise no packet after the first ring contains a descriptor.
  private let acceptsLaterRings: Bool

  /// A message from the host.
  package enum Message {
    /// The terminal to use, and its original keyboard mode (``TerminalState/bytes``).
    case terminal(HeldDescriptor, [UInt8])
    /// The frame ring of the viewfinder.
    case ring(PreviewObserver)
    /// A frame to show. The host holds it until the helper reports that it is done.
    case frame(UInt64)
    /// The state of the session.
    case state(String)
    /// Whether another program uses the terminal for now.
    case pause(Bool)
    /// The session has ended. The string is the outcome, or empty.
    case end(String)
    /// The content of a lock screen without a session.
    case lockScreen(LockScreenContent)
    /// A request to unlock the screen.
    case unlock
    /// The host disconnected, or sent an invalid message.
    case disconnected
  }

  /// The maximum size of a message, in bytes.
  private static let maximumBytes = 8192

  /// Creates a link that owns the socket.
  package init(_ socket: consuming Descriptor, acceptsLaterRings: Bool = false) {
    self.acceptsLaterRings = acceptsLaterRings
    try? socket.setNonBlocking()
    self.socket = socket
  }

  /// The descriptor to poll for messages.
  package var readable: Int32 { socket.rawValue }

  /// Returns the next message, or `nil` if none has arrived. An invalid message is treated as a disconnect.
  package func next() -> Message? {
    guard takesDescriptors else { return nextBytes() }
    switch try? PacketSocket.receive(limit: Self.maximumBytes, from: socket) {
    case .nothing: return nil
    case .packet(let packet): return message(packet.bytes, packet.descriptors) ?? .disconnected
    case .tooLarge, .end, nil: return .disconnected
    }
  }

  /// Returns the next message with read(2), which the system call filter of the helper allows.
  private func nextBytes() -> Message? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.maximumBytes, alignment: 16)
    defer { buffer.deallocate() }
    switch try? socket.read(into: buffer) {
    case .wouldBlock: return nil
    case .bytes(let count): return message(Array(buffer[..<count]), []) ?? .disconnected
    case .end, nil: return .disconnected
    }
  }

  private func message(_ bytes: [UInt8], _ descriptors: [HeldDescriptor]) -> Message? {
    let rest = Array(bytes.dropFirst())
    let text = Self.printable(rest)
    switch bytes.first.flatMap({ HostMessageKind(rawValue: Character(Unicode.Scalar($0))) }) {
    case .terminal: return descriptors.first.map { .terminal($0, rest) }
    case .ring:
      takesDescriptors = acceptsLaterRings
      return Self.ring(rest, descriptors).map(Message.ring)
    case .frame: return UInt64(text).map(Message.frame)
    case .state: return .state(text)
    case .pause: return .pause(true)
    case .resume: return .pause(false)
    case .end: return .end(text)
    // The text has several lines, each of which `LockScreenContent` sanitizes.
    case .lockScreen: return LockScreenContent(String(decoding: rest, as: UTF8.self)).map(Message.lockScreen)
    case .unlock: return .unlock
    case nil: return nil
    }
  }

  /// Returns a text in which control characters are replaced. The host sends none, but the helper does not
  /// rely on that.
  private static func printable(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      text.append(isControl ? "?" : scalar)
    }
    return String(text)
  }

  private static func ring(_ header: [UInt8], _ descriptors: [HeldDescriptor]) -> PreviewObserver? {
    guard let file = descriptors.first, let size = try? file.descriptor.status().size,
      let geometry = try? header.withUnsafeBytes({ bytes in
        try FrameRingGeometry(header: bytes, fileBytes: Int(size))
      })
    else { return nil }
    return try? PreviewObserver(file.descriptor, geometry)
  }

  /// Reports that the last shown frame can be overwritten.
  package func releaseFrame() { send(.done) }

  /// Reports that the terminal was released to another program.
  package func reportTerminalReleased() { send(.terminalReleased) }

  /// Reports that the window exists, although it shows nothing yet.
  package func reportReady() { send(.ready) }

  /// Reports the reason why nothing can be shown.
  package func refuse(_ reason: String) { send(.refused, reason) }

  /// Reports that the user closed the window.
  package func reportClosed() { send(.closed) }

  /// Reports a pressed key: its number, which identifies it on release, and the text that it types.
  package func reportKeyDown(_ key: UInt32, _ text: UnsafeRawBufferPointer) {
    let packet = KeyPacket(.pressed, key, text)
    packet.withBytes { bytes in _ = try? socket.write(bytes) }
  }

  /// Reports a released key.
  package func reportKeyUp(_ key: UInt32) {
    let packet = KeyPacket(.released, key)
    packet.withBytes { bytes in _ = try? socket.write(bytes) }
  }

  /// Reports that the window lost the keyboard focus while keys may be down.
  package func reportKeyboardFocusLost() { send(.keyboardFocusLost) }

  /// Reports a change of a contact with the picture.
  package func reportPointer(_ packet: PointerPacket) { send(.pointer, packet.text) }

  /// Reports a press of the camera button.
  package func requestCamera() { send(.camera) }

  /// Reports a summary of the shown frames.
  package func reportSummary(_ text: String) { send(.summary, text) }

  /// Sends a message. Errors are ignored: a lost host is detected when the next message is read.
  private func send(_ word: HelperMessageKind, _ text: String = "") {
    let bytes = Array("\(word.rawValue)\(text)".utf8)
    bytes.withUnsafeBytes { bytes in _ = try? socket.write(bytes) }
  }
}
