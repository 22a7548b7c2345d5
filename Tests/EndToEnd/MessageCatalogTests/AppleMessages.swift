// SPDX-License-Identifier: Apache-2.0

import UIKit

@testable import AVFoundation
@testable import SwiftUI

/// The types of the modules with Apple's names that produce messages.
enum AppleMessages {
  static var types: [any MessageSamples.Type] { [AVError.self, ImageFileError.self, ImagePixelsError.self] }
}

extension AVError: MessageSamples {
  static var catalogSamples: [(String, AVError)] {
    let codes: [Code] = [
      .unknown, .outOfMemory, .sessionNotRunning, .deviceAlreadyUsedByAnotherSession, .noDataCaptured,
      .sessionConfigurationChanged, .diskFull, .deviceWasDisconnected, .maximumDurationReached,
      .maximumFileSizeReached, .deviceNotConnected, .deviceInUseByAnotherApplication, .sessionWasInterrupted,
      .mediaServicesWereReset, .fileAlreadyExists, .encoderNotFound, .torchLevelUnavailable,
      .applicationIsNotAuthorizedToUseDevice, .recordingAlreadyInProgress,
    ]
    return codes.map { ("\($0)", AVError($0)) }
  }
}

extension ImageFileError: MessageSamples {
  static var catalogSamples: [(String, ImageFileError)] {
    [("", ImageFileError(path: "Images/logo.png", reason: "Not a PNG file"))]
  }
}

extension ImagePixelsError: MessageSamples {
  static var catalogSamples: [(String, ImagePixelsError)] { [("", ImagePixelsError("Not a PNG file"))] }

  var catalogText: String { reason }
}
