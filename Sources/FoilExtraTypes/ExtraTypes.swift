public import Foil

// Types of the standard library that `Foil` leaves to programs, stored without conversion.

extension Int8: SelfSerializable {}
extension Int16: SelfSerializable {}
extension Int32: SelfSerializable {}
extension Int64: SelfSerializable {}
extension UInt8: SelfSerializable {}
extension UInt16: SelfSerializable {}
extension UInt32: SelfSerializable {}
extension UInt64: SelfSerializable {}
