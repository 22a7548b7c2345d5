// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A QuickTime movie that is playable at each moment of the recording.
///
/// During the recording, the file is a movie in fragments; each fragment is appended with one pwrite(2), so that
/// a terminated process leaves a movie without its last second. ``finish()`` appends the tables of all samples,
/// and then hides the fragments in one atom `mdat`: the result is a movie that any player can seek in.
///
/// It is used on one thread at a time.
struct MovieFile: ~Copyable {
  /// The number of bytes in the file.
  private(set) var size = 0
  /// The video.
  private var video: MovieTrack
  /// The sound, or `nil` if the movie has none.
  private var sound: MovieTrack?
  /// The number of the last fragment.
  private var fragments: UInt32 = 0
  /// The offset of the atom that ``finish()`` replaces.
  private var placeholder = 0
  private let file: Descriptor

  private init(owning file: consuming Descriptor, video: MovieTrack.Format, sound: MovieTrack.Format?) {
    self.file = file
    self.video = MovieTrack(id: 1, video)
    self.sound = sound.map { MovieTrack(id: 2, $0) }
  }

  /// Creates a file; fails if it exists.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - video: The format of the video.
  ///   - sound: The format of the sound, or `nil` for a movie without sound.
  /// - Returns: The movie without frames.
  /// - Throws: `SystemCallError` if the file cannot be created or written.
  static func create(
    _ path: String,
    video: MovieTrack.Format,
    sound: MovieTrack.Format?
  ) throws(SystemCallError) -> MovieFile {
    let file = try FileSystem.open(path, [.write, .create, .exclusive])
    var movie = MovieFile(owning: file, video: video, sound: sound)
    try movie.begin()
    return movie
  }

  /// Appends the header of a movie in fragments.
  private mutating func begin() throws(SystemCallError) {
    let type = MovieAtom.atom("ftyp", MovieAtom.code("qt  ") + UInt32(0x200).bytes + MovieAtom.code("qt  "))
    placeholder = type.count
    try append(type + MovieAtom.atom("free", MovieAtom.zeros(8)) + MovieHeader(.fragmented, tracks).bytes)
  }

  private var tracks: [MovieTrack] { [video] + (sound.map { [$0] } ?? []) }

  /// The duration of the video that was added, in microseconds.
  var duration: Int { video.duration }

  /// The number of sample frames of sound that were added.
  var soundFrames: Int { sound?.duration ?? 0 }

  /// The number of sample frames of sound that the next fragment has so far.
  var pendingSoundFrames: Int { sound?.pendingDuration ?? 0 }

  /// The duration of the video that the next fragment has so far, in microseconds.
  var pendingDuration: Int { video.pendingDuration }

  /// The number of bytes that the next fragment has so far.
  var pendingBytes: Int { video.data.count + (sound?.data.count ?? 0) }

  /// Adds a frame with its duration in microseconds to the next fragment.
  mutating func appendFrame(_ frame: EncodedFrame, duration: Int) {
    video.append(frame.bytes, duration: duration, isKeyframe: frame.isKeyframe)
  }

  /// Adds bytes of sound with their number of sample frames to the next fragment.
  mutating func appendSound(_ bytes: [UInt8], frames: Int) { sound?.append(bytes, duration: frames) }

  /// Appends the next fragment to the file.
  mutating func writeFragment() throws(SystemCallError) {
    guard pendingBytes > 0 else { return }
    fragments += 1
    let header = fragmentHeader(dataOffset: fragmentHeader(dataOffset: 0).count + 8)
    let dataStart = size + header.count + 8
    let data = video.data + (sound?.data ?? [])
    let soundStart = dataStart + video.data.count
    try append(header + MovieAtom.atom("mdat", data))
    video.fragmentWritten(at: dataStart)
    sound?.fragmentWritten(at: soundStart)
  }

  /// Returns the atom `moof`; the offset of the samples is relative to its start.
  private func fragmentHeader(dataOffset: Int) -> [UInt8] {
    MovieAtom.atom(
      "moof",
      MovieAtom.versioned("mfhd", flags: 0, fragments.bytes),
      video.fragment(dataOffset: dataOffset),
      sound?.fragment(dataOffset: dataOffset + video.data.count) ?? []
    )
  }

  /// Completes the movie and makes it durable.
  ///
  /// - Throws: `SystemCallError` if a write fails. The file is then a movie in fragments.
  mutating func finish() throws(SystemCallError) {
    try writeFragment()
    let end = size
    try append(MovieHeader(.complete, tracks).bytes)
    // The tables must be in the file before the fragments are hidden.
    try file.synchronize()
    // A size of 1 announces a size with 64 bits after the type.
    try file.writeAll(
      UInt32(1).bytes + MovieAtom.code("mdat") + UInt64(end - placeholder).bytes,
      at: placeholder
    )
    try file.synchronize()
  }

  private mutating func append(_ bytes: [UInt8]) throws(SystemCallError) {
    // A failed write may have appended a part of the bytes, which the next write must replace.
    try file.writeAll(bytes, at: size)
    size += bytes.count
  }
}
