// SPDX-License-Identifier: Apache-2.0

/// The exit codes of this program. `ViewfinderHelper` in Viewfinders translates them to text.
enum HelperExit {
  /// The program could not be confined.
  static let confinementFailed: Int32 = 71
  /// The library for pixel conversion is unavailable.
  static let libraryUnavailable: Int32 = 72
  /// The compositor closed the connection.
  static let compositorLost: Int32 = 69
  /// The compositor refused a request, or sent an invalid message.
  static let refused: Int32 = 76

  /// Returns the exit code for an error after the start.
  static func code(_ fault: WaylandError) -> Int32 {
    if case .disconnected = fault { return compositorLost }
    return refused
  }
}
