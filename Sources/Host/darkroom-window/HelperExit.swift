// SPDX-License-Identifier: Apache-2.0

/// The exit codes of this program; ViewfinderHelper in CaptureHost has their words.
enum HelperExit {
  /// It could not be confined.
  static let unconfined: Int32 = 71
  /// The library that calculates pixels is not there.
  static let unprepared: Int32 = 72
  /// There is no compositor any more.
  static let abandoned: Int32 = 69
  /// The compositor refused what it was asked, or is not understood.
  static let refused: Int32 = 76

  /// That of a fault after everything was there.
  static func code(_ fault: WaylandFault) -> Int32 {
    if case .gone = fault { return abandoned }
    return refused
  }
}
