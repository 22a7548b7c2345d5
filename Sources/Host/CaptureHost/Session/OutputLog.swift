// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// The standard output and error of an extension, written to the session's log up to a limit.
///
/// Output beyond the limit is read and discarded, so that a full pipe does not block the extension.
package final class OutputLog {
  /// The number of last bytes that are kept for messages.
  private static let tailBytes = 2048

  private var input: Descriptor?
  private let open: () throws(SystemCallError) -> Descriptor
  /// The log file, once there was output.
  private var file: Descriptor?
  private let limit: Int
  private var echo: Int32?
  private var filter = TerminalFilter()
  /// The reason why the log is incomplete, or `nil` if it is complete.
  private(set) var failure: SystemCallError?
  /// The number of bytes that the extension wrote.
  private(set) var bytes = 0
  private var tailBuffer: [UInt8] = []
  /// The logged output in memory, or `nil` if no control requires it.
  private(set) var transcript: [UInt8]?
  /// The maximum size of the transcript, in bytes.
  private static let transcriptBytes = 1 << 20

  /// Creates a log that reads from a descriptor.
  ///
  /// The file is opened by `open` when there is output. A copy with control characters escaped is written to
  /// `echo`.
  init(
    reading input: consuming Descriptor,
    to open: @escaping () throws(SystemCallError) -> Descriptor,
    limit: Int,
    echo: Int32?
  ) throws(SystemCallError) {
    try input.setNonBlocking()
    self.input = consume input
    self.open = open
    self.limit = limit
    self.echo = echo
  }

  /// Sets the descriptor that receives a copy from now on.
  func copy(to echo: Int32?) { self.echo = echo }

  /// Starts to keep the logged output in memory.
  func beginTranscript() { transcript = transcript ?? [] }

  /// The descriptor to poll, or `nil` once all writers have closed the pipe.
  package var readable: Int32? { input?.rawValue }

  /// Whether output was discarded.
  package var isTruncated: Bool { bytes > limit }

  /// The last bytes of the output as text, for messages.
  var tail: String { String(decoding: tailBuffer, as: UTF8.self) }

  /// Reads the available output.
  package func receive() throws(SystemCallError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
    defer { buffer.deallocate() }
    // The number of reads is bounded, so that a flood of output does not block the session's event loop.
    for _ in 0..<16 {
      guard let outcome = try input?.read(into: buffer) else { return }
      switch outcome {
      case .wouldBlock: return
      case .end:
        input = nil
        return
      case .bytes(let count): keep(Array(buffer[..<count]))
      }
    }
  }

  /// Logs output within the limit. A failing log file or a closed terminal does not end the session.
  private func keep(_ new: [UInt8]) {
    let room = max(0, limit - bytes)
    bytes += new.count
    let kept = Array(new.prefix(room))
    guard !kept.isEmpty else { return }
    if failure == nil {
      do throws(SystemCallError) { try append(kept) } catch { failure = error }
    }
    let shown = filter.filter(kept)
    if let descriptor = echo {
      do { try Descriptor.write(shown, toNumber: descriptor) } catch { echo = nil }
    }
    tailBuffer = Array((tailBuffer + shown).suffix(Self.tailBytes))
    if let remembered = transcript?.count, remembered < Self.transcriptBytes { transcript? += shown }
  }

  private func append(_ kept: [UInt8]) throws(SystemCallError) {
    if file == nil { file = try open() }
    try file?.writeAll(kept)
  }

  /// Logs a line of the host, or a line that the extension sent as a message.
  func note(_ line: String) {
    let text = line.split(separator: "\n").joined(separator: " ")
    keep(Array("\(text)\n".utf8))
  }

  /// Reads the remaining output after every process has exited.
  func drain() throws(SystemCallError) {
    while readable != nil, try Poller.wait([(readable ?? -1, .readable)], until: 0)[0] != [] { try receive() }
  }
}
