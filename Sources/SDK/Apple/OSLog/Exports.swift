// SPDX-License-Identifier: Apache-2.0

// The module os declares the types of this module.
@_exported public import os
