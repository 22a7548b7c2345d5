// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// The loop of a ``Y4MWriterPump``'s thread.
struct Y4MWriterLoop {
  /// The pump that owns the thread.
  let pump: Y4MWriterPump
  /// The source of the frames.
  let source: any FrameSource
  /// The pipe that receives the stream.
  let output: TransferredOutput
  /// The pace of the frames.
  let pace: FramePace

  /// Writes frames until the pump ends, and returns the reason.
  func run() -> PumpCompletion<FrameSourceError> {
    do throws(FrameSourceError) {
      if let ending = try writeHeader() { return ending }
      return try writeFrames()
    } catch {
      return error.reason == .stopped ? .stopped : .failed(error)
    }
  }

  /// Writes the header line.
  private func writeHeader() throws(FrameSourceError) -> PumpCompletion<FrameSourceError>? {
    let line = Array(Y4MHeader(geometry: source.geometry).line.utf8)
    let buffer = PixelBuffer(count: line.count)
    buffer.bytes.copyBytes(from: line)
    return try write(UnsafeRawBufferPointer(buffer.bytes))
  }

  /// Writes all frames.
  private func writeFrames() throws(FrameSourceError) -> PumpCompletion<FrameSourceError> {
    let layout = try slotLayout()
    let slot = PixelBuffer(count: layout.slotStride)
    // The line directly precedes the pixels, so that one system call writes a frame.
    let line = Array("\(Y4MHeader.frameMarker)\n".utf8)
    let frame = (layout.pixels.lowerBound - line.count)..<layout.pixels.upperBound
    slot.bytes.part(frame).copyBytes(from: line)
    var schedule = FrameSchedule(rate: source.geometry.frameRate)
    while try source.next(into: slot.bytes, layout: layout, stop: pump.stopSignal) == .frame {
      if pace == .frameRate, source.clock == .consumer {
        let due = schedule.nextDeadline(now: MonotonicClock.now)
        if let ending = try wait(for: [], until: due) { return ending }
      }
      if let ending = try write(UnsafeRawBufferPointer(slot.bytes).part(frame)) { return ending }
      pump.countFrame()
    }
    return .sourceEnded
  }

  /// Returns the layout of the single slot that receives the frames.
  private func slotLayout() throws(FrameSourceError) -> FrameRingGeometry {
    do {
      return try source.geometry.ringGeometry()
    } catch {
      throw FrameSourceError(source.name, .size(error))
    }
  }

  /// Waits for the output or the deadline. Returns the reason to end if the stop signal was raised or the
  /// reader closed the pipe, or `nil`.
  private func wait(
    for interest: Readiness,
    until deadline: UInt64? = nil
  ) throws(FrameSourceError) -> PumpCompletion<FrameSourceError>? {
    do {
      let found = try Poller.wait(
        [(output.rawValue, interest), (pump.stopSignal.descriptor.rawValue, .readable)],
        until: deadline
      )
      if !found[1].isEmpty { return .stopped }
      return found[0].contains(.error) ? .consumerClosed : nil
    } catch {
      throw FrameSourceError(source.name, .system(error))
    }
  }

  /// Writes bytes. Returns the reason to end if that was impossible, or `nil`.
  private func write(_ bytes: UnsafeRawBufferPointer) throws(FrameSourceError) -> PumpCompletion<
    FrameSourceError
  >? {
    var offset = 0
    while offset < bytes.count {
      if let ending = try wait(for: .writable) { return ending }
      do {
        offset += try output.write(bytes.part(offset..<bytes.count)) ?? 0
      } catch {
        if error.errno == .brokenPipe { return .consumerClosed }
        throw FrameSourceError(source.name, .system(error))
      }
    }
    return nil
  }
}
