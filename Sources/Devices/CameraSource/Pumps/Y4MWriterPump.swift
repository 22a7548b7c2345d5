// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Synchronization

/// A thread that writes the frames of a source as a YUV4MPEG2 stream to a pipe.
///
/// It closes the pipe when it ends. It has to be stopped, also after it ended by itself.
package final class Y4MWriterPump: Sendable {
  /// What the host and the thread share.
  private struct State {
    /// How many frames were written completely.
    var frames: UInt64 = 0
    /// Why the thread ended.
    var ending: PumpEnding<FrameSourceError>?
  }

  /// An eventfd that becomes readable, and stays so, when the thread has ended and the pipe is closed.
  package let ended: Descriptor
  /// Ends all waiting.
  let stopSignal: StopSignal
  /// What the host and the thread share.
  private let state = Mutex(State())
  /// The thread until it was joined.
  private let thread = Mutex<PlainThread?>(nil)

  /// Makes what the host and the thread share.
  private init() throws(SystemCallError) {
    ended = try EventCounter.make()
    stopSignal = try StopSignal()
  }

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - source: Where the frames come from.
  ///   - output: The write end of a pipe of which nobody else has the write end; it is made non-blocking.
  ///   - pace: Whether frames wait for the source's rate or only for room in the pipe.
  /// - Returns: The pump, which writes already.
  /// - Throws: The system call that failed, if the thread or a counter could not be made.
  package static func start(
    source: sending any FrameSource,
    output: consuming Descriptor,
    pace: FramePace
  ) throws(FrameSourceError) -> Y4MWriterPump {
    let name = source.name
    do throws(SystemCallError) {
      let pump = try Y4MWriterPump()
      try output.setNonBlocking()
      let handed = HandedSource<any FrameSource>(source)
      let pipe = HandedOutput(output)
      try pump.thread.withLock { thread throws(SystemCallError) in
        thread = try PlainThread.start(name: "frame-writer") {
          let loop = Y4MWriterLoop(pump: pump, source: handed.source, output: pipe, pace: pace)
          let ending = loop.run()
          pipe.close()
          pump.end(ending)
        }
      }
      return pump
    } catch {
      throw FrameSourceError(name, .system(error))
    }
  }

  /// Ends the thread at once, in the middle of a frame if need be, and waits for it.
  package func stop() {
    stopSignal.raise()
    thread.withLock { $0.take()?.join() }
  }

  /// How many frames were written completely.
  package var frames: UInt64 { state.withLock { $0.frames } }

  /// Why the thread ended; nil while it has not.
  package var ending: PumpEnding<FrameSourceError>? { state.withLock { $0.ending } }
}

// The thread's side.
extension Y4MWriterPump {
  /// A frame was written completely.
  func countFrame() { state.withLock { $0.frames += 1 } }

  /// Notes why the thread ended and tells who waits for it.
  private func end(_ ending: PumpEnding<FrameSourceError>) {
    state.withLock { $0.ending = ending }
    try? EventCounter.add(to: ended)
  }
}

/// The write end of a pipe on its way to the one thread that uses it.
///
/// It is Sendable because only the pump's thread looks inside after it was made.
final class HandedOutput: @unchecked Sendable {
  /// The pipe until it is closed.
  private var descriptor: Descriptor?
  /// The pipe's number.
  let rawValue: Int32

  /// Takes a pipe over.
  init(_ descriptor: consuming Descriptor) {
    rawValue = descriptor.rawValue
    self.descriptor = consume descriptor
  }

  /// Writes as much as the pipe takes; nil if it takes nothing now.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int? {
    try descriptor?.write(bytes)
  }

  /// Closes the pipe; its reader sees the end.
  func close() { descriptor = nil }
}
