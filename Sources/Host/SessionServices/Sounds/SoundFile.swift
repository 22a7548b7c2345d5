// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import LinuxPrimitives

/// A sound's file, open, and how a player that has it as its standard input names it.
///
/// A file of the sound theme is the system's or the person's own, and is played as it is. A file of the extension is
/// read here, and the player gets a new one; see ``WaveSound``.
struct SoundFile: ~Copyable {
  /// The largest file that is read or played, in bytes.
  static let limit = 4 << 20
  /// The name under which a program opens its standard input anew, whatever happens to the file's own name meanwhile.
  private static let standardInput = "/proc/self/fd/0"

  /// The file.
  let descriptor: Descriptor
  /// What the player is told to open.
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

  /// The contents of a file that is below a directory.
  private static func contents(of path: String, below directory: String) throws(SoundFailure) -> [UInt8] {
    let file: Descriptor
    do throws(SystemCallError) {
      let bundle = try FileSystem.open(directory, [.path, .directory])
      // A pipe would keep whoever opens it waiting.
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

  /// Whether it is a file that may be played.
  private static func check(_ file: borrowing Descriptor) throws(SoundFailure) {
    let status: FileStatus
    do throws(SystemCallError) { status = try file.status() } catch { throw .notOpened(error.errno) }
    guard status.kind == .regular else { throw .notRegular }
    guard status.size <= Int64(limit) else { throw .tooLarge(limit: limit) }
  }

  /// Whether it begins as a WAV file does.
  borrowing func isWAV() -> Bool {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4)
    defer { bytes.deallocate() }
    // A player that does not open it anew begins at the beginning, too.
    guard case .bytes(4)? = try? descriptor.read(into: bytes), (try? descriptor.rewind()) != nil else {
      return false
    }
    return bytes.elementsEqual("RIFF".utf8)
  }
}
