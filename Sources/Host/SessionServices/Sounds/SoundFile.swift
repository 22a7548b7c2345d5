// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives

/// An open sound file, with the name by which a player opens its standard input.
///
/// A file of the sound theme belongs to the system or the user and is played unchanged. A file of the
/// extension is parsed, and the player receives a new file; see ``WaveSound``.
struct SoundFile: ~Copyable {
  /// The maximum size of a file that is read or played, in bytes.
  static let limit = 4 << 20
  /// The name by which a program reopens its standard input, even if the file was renamed.
  private static let standardInput = "/proc/self/fd/0"

  /// The file.
  let descriptor: Descriptor
  /// The file name argument of the player.
  let name: String

  /// Opens the file of a sound.
  static func open(
    _ sound: CaptureSound,
    below directory: String?,
    environment: (String) -> String?
  ) throws(SoundFailure) -> SoundFile {
    switch sound {
    case .standard(let standard):
      for path in SoundTheme.candidates(standard, environment: environment) {
        guard let file = try? FileSystem.open(path, [.read, .nonBlocking]), (try? check(file)) != nil else {
          continue
        }
        return SoundFile(descriptor: file, name: path)
      }
      throw .notInTheme(standard)
    case .file(let path):
      guard let directory else { throw .noBundle }
      let sound = try WaveSound(contents(of: path, below: directory))
      do throws(SystemCallError) {
        let file = try MemoryFile.makeSealed(name: "darkroom-sound", bytes: sound.bytes)
        return SoundFile(descriptor: file, name: standardInput)
      } catch { throw .notStarted(error) }
    }
  }

  /// Returns the contents of a file below a directory.
  private static func contents(of path: String, below directory: String) throws(SoundFailure) -> [UInt8] {
    let file: Descriptor
    do throws(SystemCallError) {
      let bundle = try FileSystem.open(directory, [.path, .directory])
      // Nonblocking, because opening a FIFO would block.
      file = try FileSystem.openBeneath(bundle, path, [.read, .nonBlocking])
    } catch { throw .notOpened(error.errno) }
    try check(file)
    let bytes: [UInt8]?
    do throws(SystemCallError) { bytes = try file.readAll(limit: limit) } catch {
      throw .notOpened(error.errno)
    }
    guard let bytes else { throw .tooLarge(limit: limit) }
    return bytes
  }

  /// Throws an error unless the file may be played.
  private static func check(_ file: borrowing Descriptor) throws(SoundFailure) {
    let status: FileStatus
    do throws(SystemCallError) { status = try file.status() } catch { throw .notOpened(error.errno) }
    guard status.kind == .regular else { throw .notRegular }
    guard status.size <= Int64(limit) else { throw .tooLarge(limit: limit) }
  }

  /// Returns whether the file starts with the signature of a WAV file.
  borrowing func isWAV() -> Bool {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4)
    defer { bytes.deallocate() }
    // Rewound for a player that reads its standard input without reopening it.
    guard case .bytes(4)? = try? descriptor.read(into: bytes), (try? descriptor.rewind()) != nil else {
      return false
    }
    return bytes.elementsEqual("RIFF".utf8)
  }
}
