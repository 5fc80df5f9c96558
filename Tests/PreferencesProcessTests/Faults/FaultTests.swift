import Foundation
import TestSupport
import Testing

/// Tests of the effects on files when system calls fail, processes are killed and machines crash,
/// for every program of the package that changes a file. They run one after another, beside
/// ``ProcessTests``.
@Suite(.serialized) enum FaultTests {}
