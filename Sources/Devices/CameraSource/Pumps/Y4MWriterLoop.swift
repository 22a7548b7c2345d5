// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import LinuxPrimitives

/// What the thread of a ``Y4MWriterPump`` does.
struct Y4MWriterLoop {
  /// Whose thread this is.
  let pump: Y4MWriterPump
  /// Where the frames come from.
  let source: any FrameSource
  /// Where the stream goes.
  let output: HandedOutput
  /// What sets the speed.
  let pace: FramePace

  /// Writes frames until there is a reason to end.
  func run() -> PumpEnding<FrameSourceError> {
    do throws(FrameSourceError) {
      if let ending = try writeHeader() { return ending }
      return try writeFrames()
    } catch {
      return error.reason == .stopped ? .stopped : .failed(error)
    }
  }

  /// Writes the first line.
  private func writeHeader() throws(FrameSourceError) -> PumpEnding<FrameSourceError>? {
    let line = Array(Y4MHeader(geometry: source.geometry).line.utf8)
    let buffer = PixelBuffer(count: line.count)
    buffer.bytes.copyBytes(from: line)
    return try write(UnsafeRawBufferPointer(buffer.bytes))
  }

  /// Writes one frame after the other.
  private func writeFrames() throws(FrameSourceError) -> PumpEnding<FrameSourceError> {
    let layout = try slotLayout()
    let slot = PixelBuffer(count: layout.slotStride)
    // The line stands directly before the pixels, so that a frame is written by one call.
    let line = Array("\(Y4MHeader.frameLine)\n".utf8)
    let frame = (layout.pixels.lowerBound - line.count)..<layout.pixels.upperBound
    slot.bytes.part(frame).copyBytes(from: line)
    var schedule = FrameSchedule(rate: source.geometry.frameRate)
    while try source.next(into: slot.bytes, layout: layout, stop: pump.stopSignal) == .frame {
      if pace == .frameRate, source.clock == .taker {
        let due = schedule.nextDeadline(now: MonotonicClock.now)
        if let ending = try wait(for: [], until: due) { return ending }
      }
      if let ending = try write(UnsafeRawBufferPointer(slot.bytes).part(frame)) { return ending }
      pump.countFrame()
    }
    return .sourceEnded
  }

  /// The layout of the one slot that frames are read to.
  private func slotLayout() throws(FrameSourceError) -> FrameRingGeometry {
    do {
      return try source.geometry.ringGeometry()
    } catch {
      throw FrameSourceError(source.name, .size(error))
    }
  }

  /// Waits for the output or the time; returns why the pump has to end if the stop came, or nobody reads any more.
  private func wait(
    for interest: Readiness,
    until deadline: UInt64? = nil
  ) throws(FrameSourceError) -> PumpEnding<FrameSourceError>? {
    do {
      let found = try Poller.wait(
        [(output.rawValue, interest), (pump.stopSignal.descriptor.rawValue, .readable)],
        until: deadline
      )
      if !found[1].isEmpty { return .stopped }
      return found[0].contains(.error) ? .consumerGone : nil
    } catch {
      throw FrameSourceError(source.name, .system(error))
    }
  }

  /// Writes bytes; returns why the pump has to end if it could not.
  private func write(_ bytes: UnsafeRawBufferPointer) throws(FrameSourceError) -> PumpEnding<
    FrameSourceError
  >? {
    var offset = 0
    while offset < bytes.count {
      if let ending = try wait(for: .writable) { return ending }
      do {
        offset += try output.write(bytes.part(offset..<bytes.count)) ?? 0
      } catch {
        if error.errno == .brokenPipe { return .consumerGone }
        throw FrameSourceError(source.name, .system(error))
      }
    }
    return nil
  }
}
