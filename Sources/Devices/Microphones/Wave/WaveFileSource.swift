// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import ExtensionProtocol
internal import LinuxPrimitives

/// The samples of a WAV file, from its beginning to its end.
package final class WaveFileSource: SoundSource {
  /// The path of the file.
  package let name: String
  /// The sample rate and the number of channels.
  package let geometry: SoundRingGeometry
  private let file: Descriptor
  /// The byte range of the samples that were not read yet.
  private var remaining: Range<Int>

  /// Creates a source from the results of ``open(_:)``.
  private init(
    _ name: String,
    _ file: consuming Descriptor,
    _ geometry: SoundRingGeometry,
    _ samples: Range<Int>
  ) {
    self.name = name
    self.geometry = geometry
    self.file = file
    remaining = samples
  }

  /// Opens a file and reads its header.
  package static func open(_ path: String) throws(SoundSourceError) -> sending WaveFileSource {
    let file: Descriptor
    do throws(SystemCallError) {
      // Without `O_NONBLOCK`, open(2) of a FIFO would block.
      file = try FileSystem.open(path, [.read, .nonBlocking])
    } catch { throw SoundSourceError(path, .system(error)) }
    let status: FileStatus
    let start: [UInt8]
    do throws(SystemCallError) {
      status = try file.status()
      start = status.kind == .regular ? try file.bytes(at: 0, count: WaveHeader.maximumHeaderBytes) : []
    } catch { throw SoundSourceError(path, .system(error)) }
    guard status.kind == .regular else { throw SoundSourceError(path, .notAFile) }
    if start.isEmpty { throw SoundSourceError(path, .empty) }
    let header: WaveHeader
    do throws(WaveFault) { header = try WaveHeader(start, fileBytes: Int(status.size)) } catch {
      throw SoundSourceError(path, .wave(error))
    }
    let geometry: SoundRingGeometry
    do throws(SoundRingLayoutError) {
      geometry = try SoundRingGeometry(sampleRate: header.sampleRate, channels: header.channels)
    } catch { throw SoundSourceError(path, .layout(error)) }
    return WaveFileSource(path, file, geometry, header.samples)
  }

  /// Reads the next block; the last one can be shorter.
  package func next(
    into samples: UnsafeMutableRawBufferPointer,
    stop: StopSignal
  ) throws(SoundSourceError) -> SoundOutcome {
    let count = min(remaining.count, geometry.blockBytes)
    guard count > 0 else { return .end }
    let bytes: [UInt8]
    do throws(SystemCallError) { bytes = try file.bytes(at: Int64(remaining.lowerBound), count: count) } catch
    {
      throw SoundSourceError(name, .system(error))
    }
    let frames = bytes.count / geometry.frameBytes
    // Another process has truncated the file.
    guard frames > 0 else { return .end }
    samples.copyBytes(from: bytes)
    remaining = (remaining.lowerBound + frames * geometry.frameBytes)..<remaining.upperBound
    return .block(frames: frames)
  }
}
