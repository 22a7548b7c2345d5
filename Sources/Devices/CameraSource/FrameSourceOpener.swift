// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Turns what a person typed into a source of frames.
package enum FrameSourceOpener {
  /// What stands for standard input.
  package static let dash = "-"
  /// What stands for the test pattern, alone or before a colon.
  package static let pattern = "pattern"

  /// Opens a source.
  ///
  /// - Parameters:
  ///   - specification: A path; `-` for standard input; `pattern`, `pattern:640x480` or `pattern:640x480@30000/1001`.
  ///     A file of the name `pattern` is written `./pattern`. What a file is shows in its first bytes, never in its
  ///     name.
  ///   - stillRate: How often a picture is shown in a second.
  ///   - standardInput: What `-` stands for; it is duplicated, and its flags stay as they are.
  ///   - stop: Ends the waiting for a pipe's first bytes.
  /// - Returns: The source, its header read or its picture decoded.
  /// - Throws: Why there are no frames, naming the source.
  package static func open(
    _ specification: String,
    stillRate: FrameRate = .standard,
    standardInput: Int32 = 0,
    stop: StopSignal
  ) throws(FrameSourceError) -> sending any FrameSource {
    if specification == pattern || specification.hasPrefix("\(pattern):") {
      return try TestPatternSource(patternGeometry(specification))
    }
    let descriptor: Descriptor
    do {
      // A FIFO that nobody writes to yet would keep open(2) waiting, which nothing could interrupt.
      descriptor =
        specification == dash
        ? try Descriptor.duplicate(of: standardInput)
        : try FileSystem.open(specification, [.read, .nonBlocking])
    } catch {
      throw FrameSourceError(specification, .system(error))
    }
    let name = specification == dash ? "standard input" : specification
    return try open(descriptor, name: name, stillRate: stillRate, stop: stop)
  }

  /// Makes a source of an open file.
  package static func open(
    _ descriptor: consuming Descriptor,
    name: String,
    stillRate: FrameRate = .standard,
    stop: StopSignal
  ) throws(FrameSourceError) -> sending any FrameSource {
    let stream = try ByteStream(descriptor, name: name)
    let first = Array(try stream.peek(Y4MHeader.magic.utf8.count, stop: stop))
    if first.isEmpty { throw FrameSourceError(name, .empty) }
    if first == Array(Y4MHeader.magic.utf8) { return try Y4MSource(stream, stop: stop) }
    guard let format = pictureFormat(first) else {
      throw FrameSourceError(name, .unknownFormat(firstBytes: first))
    }
    let limit = StillPictureSource.maximumFileBytes
    guard let file = try stream.readRest(limit: limit, stop: stop) else {
      throw FrameSourceError(name, .fileTooLarge(limit: limit))
    }
    return try StillPictureSource(file, format: format, name: name, frameRate: stillRate)
  }

  /// The format of a picture that begins with these bytes.
  private static func pictureFormat(_ first: [UInt8]) -> PictureFormat? {
    if first.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if first.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    return nil
  }

  /// Reads `pattern:640x480@30000/1001`; what is missing is 640, 480 and 30.
  private static func patternGeometry(_ text: String) throws(FrameSourceError) -> FrameGeometry {
    func fail(_ fault: PatternFault) -> FrameSourceError { FrameSourceError(text, .pattern(fault)) }
    if text == pattern { return FrameGeometry(width: 640, height: 480) }
    let parts = text.dropFirst(pattern.count + 1).split(separator: "@", omittingEmptySubsequences: false)
    let size = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count <= 2, size.count == 2, let width = size[0], let height = size[1] else {
      throw fail(.syntax)
    }
    guard parts.count == 2 else { return FrameGeometry(width: width, height: height) }
    let rate = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard rate.count <= 2, let top = rate[0], let bottom = rate.count == 2 ? rate[1] : 1 else {
      throw fail(.syntax)
    }
    guard let frameRate = FrameRate(top, bottom) else { throw fail(.rate) }
    return FrameGeometry(width: width, height: height, frameRate: frameRate)
  }
}
