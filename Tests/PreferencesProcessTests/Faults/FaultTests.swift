import Foundation
import TestSupport
import Testing

/// The tests of what becomes of files when system calls fail, processes are killed and machines
/// crash, over every program of the package that changes a file. They run one after another, beside
/// ``ProcessTests``.
@Suite(.serialized) enum FaultTests {}
