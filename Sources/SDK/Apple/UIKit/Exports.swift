// SPDX-License-Identifier: Apache-2.0

// As on Apple's systems, an import of this module also imports these modules.
@_exported public import Foundation
@_exported public import QuartzCore
