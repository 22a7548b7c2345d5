// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// What an extension writes to its standard output and error: kept in the session's log, up to a limit.
///
/// Beyond the limit it is read and thrown away, so that a talkative extension is not stopped by a full pipe.
package final class OutputLog {
  /// How much of the end is kept for messages about the session.
  private static let tailBytes = 2048

  private var input: Descriptor?
  private let open: () throws(SystemCallError) -> Descriptor
  /// The log, once there was something to keep.
  private var file: Descriptor?
  private let limit: Int
  private var echo: Int32?
  private var filter = TerminalFilter()
  /// Why the log ends before the extension does, or nil.
  private(set) var failure: SystemCallError?
  /// How many bytes there were.
  private(set) var bytes = 0
  private var tailBuffer: [UInt8] = []
  /// All that was kept, for whoever waits for what it says; nil: nobody does.
  private(set) var transcript: [UInt8]?
  /// How much of it there can be.
  private static let transcriptBytes = 1 << 20

  /// Takes over the end to read from. What is kept goes to the file that `open` gives, which is asked for it once there is
  /// something. `echo` gets a copy of it, fit for a terminal.
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

  /// What is kept from now on is copied to this, too.
  func copy(to echo: Int32?) { self.echo = echo }

  /// Begins to remember all that is kept.
  func beginTranscript() { transcript = transcript ?? [] }

  /// The end to watch, or nil once nobody writes any more.
  package var readable: Int32? { input?.rawValue }

  /// Whether something was thrown away.
  package var isTruncated: Bool { bytes > limit }

  /// The last lines, for messages.
  var tail: String { String(decoding: tailBuffer, as: UTF8.self) }

  /// Reads what there is.
  package func receive() throws(SystemCallError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
    defer { buffer.deallocate() }
    // A bounded number of reads: a flood must not keep the session from being looked after.
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

  /// Keeps and shows what there is room for. A log that cannot be written, and a person who has gone, end no session.
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

  /// Adds a line of the host's, or one that the extension sent as a message.
  func note(_ line: String) {
    let text = line.split(separator: "\n").joined(separator: " ")
    keep(Array("\(text)\n".utf8))
  }

  /// Reads the rest after every process has ended.
  func drain() throws(SystemCallError) {
    while readable != nil, try Poller.wait([(readable ?? -1, .readable)], until: 0)[0] != [] { try receive() }
  }
}
