// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import ExtensionProtocol
internal import JSONText
internal import LinuxPrimitives

/// Looks whether a file is all there, by what files of its kind have to have. Of kinds that it does not know it says
/// nothing.
package enum WholeFile {
  /// What a kind of file stands for.
  package enum Kind: Sendable {
    /// One thing, which can be written under another name until it is whole.
    case still
    /// A film, which grows under its own name, and ends with a whole frame.
    case film
  }

  /// The largest file that is read, in bytes.
  private static let limit = 64 << 20

  /// What every PNG file ends with: the name and the checksum of its last chunk, which is empty.
  private static let pngEnd: [UInt8] = [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

  /// The kind of file that a name says it is; nil: one that nothing is known of.
  package static func kind(of name: String) -> Kind? {
    switch name.split(separator: ".").last.map({ $0.lowercased() }) {
    case "jpg", "jpeg", "png", "pgm", "ppm", "json": .still
    case "y4m": .film
    default: nil
    }
  }

  /// What is missing of a file, in words; nil: nothing that could be seen.
  package static func fault(of path: String) -> String? {
    guard let bytes = try? FileSystem.contents(path, limit: limit) else { return nil }
    switch path.split(separator: ".").last.map({ $0.lowercased() }) {
    case "jpg", "jpeg": return picture(path)
    // The decoder is content with a picture whose last chunk is cut off.
    case "png": return picture(path) ?? (ByteSearch.first(pngEnd, in: bytes) == nil ? "it has no end" : nil)
    case "pgm", "ppm": return anymap(bytes)
    case "json":
      do throws(JSONSyntaxError) {
        _ = try JSONNode.parse(bytes, limits: JSONLimits(bytes: limit, depth: 64))
      } catch {
        return "it is no JSON: \(error)"
      }
      return nil
    case "y4m": return film(path)
    default: return nil
    }
  }

  /// What is missing of a picture that has to be decoded to know. What this machine cannot decode may be whole.
  private static func picture(_ path: String) -> String? {
    guard let stop = try? StopSignal() else { return nil }
    do throws(FrameSourceError) { _ = try FrameSourceOpener.open(path, stop: stop) } catch {
      switch error.reason {
      case .picture, .empty, .unknownFormat: return "\(error.reason)"
      default: return nil
      }
    }
    return nil
  }

  /// What is missing of a film of whole frames.
  private static func film(_ path: String) -> String? {
    guard let stop = try? StopSignal() else { return nil }
    do throws(FrameSourceError) {
      let source = try FrameSourceOpener.open(path, stop: stop)
      guard let layout = try? source.geometry.ringGeometry() else { return nil }
      let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.slotStride, alignment: 64)
      defer { slot.deallocate() }
      while try source.next(into: slot, layout: layout, stop: stop) == .frame {}
    } catch {
      switch error.reason {
      case .stream(.headerTruncated, _), .stream(.frameTruncated, _), .empty: return "\(error.reason)"
      default: return nil
      }
    }
    return nil
  }

  /// What is missing of pgm(5) or ppm(5), whose header says how many bytes follow it.
  private static func anymap(_ bytes: [UInt8]) -> String? {
    var (numbers, place, isComment): ([Int], Int, Bool) = ([], 2, false)
    var digits = ""
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "P"),
      [UInt8(ascii: "5"), UInt8(ascii: "6")].contains(bytes[1])
    else { return bytes.isEmpty ? "there is not one byte" : nil }
    while numbers.count < 3, place < bytes.count {
      let character = Character(UnicodeScalar(bytes[place]))
      place += 1
      if isComment {
        isComment = character != "\n"
      } else if character == "#" {
        isComment = true
      } else if character.isWhitespace {
        if let number = Int(digits) { numbers.append(number) }
        digits = ""
      } else {
        digits.append(character)
      }
    }
    guard numbers.count == 3 else { return "it ends in its header" }
    let samples = numbers[0].multipliedReportingOverflow(by: numbers[1]).partialValue
    let size = (bytes[1] == UInt8(ascii: "6") ? 3 : 1) * (numbers[2] > 255 ? 2 : 1)
    let needed = samples.multipliedReportingOverflow(by: size).partialValue
    return bytes.count - place < needed ? "it has \(bytes.count - place) of \(needed) bytes of pixels" : nil
  }
}
