// SPDX-License-Identifier: Apache-2.0

@_exported public import Combine
@_exported public import Foundation
@_exported public import LockedCameraCapture
@_exported public import Observation
@_exported public import UIKit
