/// The name for modules in which `Defaults` means something else.
public typealias _Defaults = Defaults
/// The name for modules in which `Default` means something else.
public typealias _Default = Default
