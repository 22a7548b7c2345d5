// SPDX-License-Identifier: Apache-2.0

import Testing

/// The suites whose tests set the current session of the process, as an extension does. They run one at a
/// time.
@Suite(.serialized, .timeLimit(.minutes(20))) enum CurrentSessionTests {}
