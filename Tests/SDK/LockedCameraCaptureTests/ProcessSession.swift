// SPDX-License-Identifier: Apache-2.0

import Testing

/// The tests that make their session that of the process, as an extension does: there is one of them at a time.
@Suite(.serialized, .timeLimit(.minutes(20))) enum ProcessSession {}
