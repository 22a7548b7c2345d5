// SPDX-License-Identifier: Apache-2.0

// As on Apple's systems, an import of this module also imports this module.
@_exported public import Foundation
