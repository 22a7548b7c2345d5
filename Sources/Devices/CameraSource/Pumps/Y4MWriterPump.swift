// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Synchronization

/// A thread that writes the frames of a source to a pipe as a YUV4MPEG2 stream.
///
/// It closes the pipe when it ends. It must be stopped, even after it ended by itself.
package final class Y4MWriterPump: Sendable {
  /// The state that the host and the thread share.
  private struct State {
    /// The number of completely written frames.
    var frames: UInt64 = 0
    /// The reason why the thread ended, or `nil` while it runs.
    var completion: PumpCompletion<FrameSourceError>?
  }

  /// An eventfd that becomes readable, and stays so, when the thread has ended and the pipe is closed.
  package let completionEvent: Descriptor
  /// Ends all waits.
  let stopSignal: StopSignal
  /// The state that the host and the thread share.
  private let state = Mutex(State())
  /// The thread, until it is joined.
  private let thread = Mutex<PlainThread?>(nil)

  /// Creates the shared part of a pump.
  private init() throws(SystemCallError) {
    completionEvent = try EventCounter.make()
    stopSignal = try StopSignal()
  }

  /// Starts writing.
  ///
  /// - Parameters:
  ///   - source: The source of the frames.
  ///   - output: The only descriptor of the write end of a pipe. It is made non-blocking.
  ///   - pace: Whether frames wait for the source's rate, or only for space in the pipe.
  /// - Returns: The pump, which is already writing.
  /// - Throws: The system call that failed, if the thread or an eventfd could not be created.
  package static func start(
    source: sending any FrameSource,
    output: consuming Descriptor,
    pace: FramePace
  ) throws(FrameSourceError) -> Y4MWriterPump {
    let name = source.name
    do throws(SystemCallError) {
      let pump = try Y4MWriterPump()
      try output.setNonBlocking()
      let handed = TransferredSource<any FrameSource>(source)
      let pipe = TransferredOutput(output)
      try pump.thread.withLock { thread throws(SystemCallError) in
        thread = try PlainThread.start(name: "frame-writer") {
          let loop = Y4MWriterLoop(pump: pump, source: handed.source, output: pipe, pace: pace)
          let ending = loop.run()
          pipe.close()
          pump.finish(ending)
        }
      }
      return pump
    } catch {
      throw FrameSourceError(name, .system(error))
    }
  }

  /// Ends the thread immediately, even in the middle of a frame, and waits for it.
  package func stop() {
    stopSignal.raise()
    thread.withLock { $0.take()?.join() }
  }

  /// The number of completely written frames.
  package var frames: UInt64 { state.withLock { $0.frames } }

  /// The reason why the thread ended, or `nil` while it runs.
  package var completion: PumpCompletion<FrameSourceError>? { state.withLock { $0.completion } }
}

// Methods for the pump's thread.
extension Y4MWriterPump {
  /// Counts a completely written frame.
  func countFrame() { state.withLock { $0.frames += 1 } }

  /// Records the reason why the thread ended, and signals the end.
  private func finish(_ ending: PumpCompletion<FrameSourceError>) {
    state.withLock { $0.completion = ending }
    try? EventCounter.add(to: completionEvent)
  }
}

/// The write end of a pipe, transferred to the one thread that uses it.
///
/// It is `Sendable` because only the thread of the pump accesses it after its creation.
final class TransferredOutput: @unchecked Sendable {
  /// The pipe, until it is closed.
  private var descriptor: Descriptor?
  /// The descriptor of the pipe.
  let rawValue: Int32

  /// Creates a wrapper that owns a pipe.
  init(_ descriptor: consuming Descriptor) {
    rawValue = descriptor.rawValue
    self.descriptor = consume descriptor
  }

  /// Writes as many bytes as the pipe accepts, and returns their number, or `nil` if the pipe is full.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int? {
    try descriptor?.write(bytes)
  }

  /// Closes the pipe, so that its reader reaches the end of the file.
  func close() { descriptor = nil }
}
